/** `parallel`: walks its branches side by side until their join has come to a verdict. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import type { ErrorInfo } from '../../definitions/errors.ts';
import { LIMITS } from '../../definitions/limits.ts';
import type { Join, Json, ParallelNode } from '../../definitions/types.ts';
import type { NodeState } from '../checkpoint.ts';
import type { CompiledScope } from '../compile.ts';
import type { Fan } from '../fan-state.ts';
import { type FanParts, freshFan, walkFan } from '../fan.ts';
import { givesEnds, hasWinner, shownEnd } from '../joins.ts';
import { whenThere } from '../later.ts';
import type { Step } from '../outcome.ts';
import { holderVisit, type Visit } from '../scope.ts';
import type { NodeType } from './node-type.ts';

interface CompiledBranch {
  readonly id: string;
  readonly nodes: CompiledScope;
  readonly output: CompiledTemplate | null;
  readonly optional: boolean;
}

interface Config {
  readonly branches: readonly CompiledBranch[];
  readonly join: Join;
  readonly shared: readonly string[];
}

type State = Extract<NodeState, { kind: 'parallel' }>;

export const parallel: NodeType<ParallelNode, Config, State> = {
  holdsScopes: true,

  compile({ config }, { compileScope }) {
    return {
      branches: config.branches.map(({ id, nodes, output, optional }) => ({
        id,
        nodes: compileScope(nodes),
        output: output === undefined ? null : compileTemplate(output),
        optional: optional ?? false,
      })),
      join: config.join ?? 'all',
      shared: config.shared ?? [],
    };
  },

  enter: () => ({ kind: 'parallel', fan: freshFan() }),

  proceed: (visit, { fan }) =>
    whenThere(walkFan(visit, fan, partsOf(visit)), (verdict): Step => {
      if (verdict.kind !== 'joined') return verdict;
      return { kind: 'success', output: outputs(visit.config, fan, verdict.winner), ...failuresOf(visit, fan) };
    }),
};

function partsOf(visit: Visit<Config>): FanParts {
  const { config, nodeId, scope } = visit;
  const { branches, join, shared } = config;
  const branch = (index: number): CompiledBranch => branches[index] as CompiledBranch;
  return {
    total: branches.length,
    concurrency: LIMITS.partsInFlight,
    nodeId,
    join,
    isOptional: (index) => branch(index).optional,
    label: (index) => branch(index).id,
    output: (index) => branch(index).output,
    scope: (index) => ({
      nodes: branch(index).nodes,
      path: `${scope.path}${branch(index).id}${holderVisit(visit)}/`,
      shared,
      locals: scope.locals,
    }),
  };
}

function outputs({ branches, join }: Config, { ends }: Fan, winner: number | null): Json {
  const shown = branches.map(({ id }, index) => ({ id, index, end: ends[index] }));
  const left = hasWinner(join) ? shown.filter(({ index }) => index === winner) : shown;
  return Object.fromEntries(left.map(({ id, end }) => [id, shownEnd(join, end)]));
}

/** What failed in branches that are optional: it does not fail the node, and is not lost. */
function failuresOf({ config, nodeId }: Visit<Config>, { ends }: Fan): { error?: ErrorInfo } {
  const failed = config.branches.flatMap(({ id, optional }, index) => {
    const end = ends[index];
    return optional && end?.status === 'failed' ? [[id, end.error] as const] : [];
  });
  const [first] = failed;
  if (first === undefined || givesEnds(config.join)) return {};
  const message = `Optional branches failed: ${failed.map(([id]) => id).join(', ')}`;
  const details = Object.fromEntries(failed) as unknown as Json;
  return { error: { type: first[1].type, message, nodeId, details } };
}
