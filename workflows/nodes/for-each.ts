/** `forEach`: walks its nodes once for each item, at most `concurrency` items side by side. */
import {
  type CompiledExpression,
  type CompiledTemplate,
  compileExpression,
  compileTemplate,
} from '../../definitions/expressions/index.ts';
import { RunError } from '../../definitions/errors.ts';
import { isKept, keptText } from '../../definitions/json/kept-value.ts';
import { jsonBytes } from '../../definitions/json/size.ts';
import type { ForEachNode, Join, Json } from '../../definitions/types.ts';
import type { NodeState } from '../checkpoint.ts';
import type { CompiledScope } from '../compile.ts';
import { bookBytes } from '../context.ts';
import type { Fan } from '../fan-state.ts';
import { type FanParts, freshFan, walkFan } from '../fan.ts';
import { hasWinner, shownEnd } from '../joins.ts';
import { whenThere } from '../later.ts';
import type { Step } from '../outcome.ts';
import { holderVisit, namesFor, type Visit } from '../scope.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly items: CompiledExpression;
  readonly as: string;
  readonly concurrency: number;
  readonly nodes: CompiledScope;
  readonly output: CompiledTemplate | null;
  readonly join: Join;
  readonly shared: readonly string[];
}

type State = Extract<NodeState, { kind: 'forEach' }>;

/** Items side by side, where the definition says nothing else. */
const CONCURRENCY = 10;

export const forEach: NodeType<ForEachNode, Config, State> = {
  holdsScopes: true,

  compile({ config }, { compileScope }) {
    return {
      items: compileExpression(config.items),
      as: config.as ?? 'item',
      concurrency: config.concurrency ?? CONCURRENCY,
      nodes: compileScope(config.nodes),
      output: config.output === undefined ? null : compileTemplate(config.output),
      join: config.join ?? 'all',
      shared: config.shared ?? [],
    };
  },

  enter({ run, scope, config }) {
    const items = config.items.evaluate(namesFor(scope), run.meter);
    if (!Array.isArray(items)) {
      const found = isKept(items) ? keptText(items) : JSON.stringify(items).slice(0, 100);
      const message = `The items must be a list, not ${isKept(items) ? 'a value ' : ''}${found}`;
      throw new RunError('EXPRESSION_ERROR', message, { expression: config.items.text });
    }
    const bytes = jsonBytes(items);
    bookBytes(run, bytes, 0);
    return { kind: 'forEach', items: items as readonly Json[], fan: freshFan(), bytes };
  },

  proceed: (visit, { fan, items }) =>
    whenThere(walkFan(visit, fan, partsOf(visit, items)), (verdict): Step => {
      if (verdict.kind !== 'joined') return verdict;
      return { kind: 'success', output: outputs(visit.config, fan, { winner: verdict.winner, total: items.length }) };
    }),
};

function partsOf(visit: Visit<Config>, items: readonly Json[]): FanParts {
  const { config, nodeId, scope } = visit;
  const { nodes, as, concurrency, join, output, shared } = config;
  return {
    total: items.length,
    concurrency,
    nodeId,
    join,
    isOptional: () => false,
    label: String,
    output: () => output,
    scope: (index) => ({
      nodes,
      path: `${scope.path}${nodeId}${holderVisit(visit)}[${index}]/`,
      shared,
      locals: { ...scope.locals, [as]: items[index] as Json, index },
    }),
  };
}

/** In item order, whatever the order of completion. */
function outputs({ join }: Config, { ends }: Fan, of: { winner: number | null; total: number }): Json {
  if (hasWinner(join)) return of.winner === null ? [] : [shownEnd(join, ends[of.winner])];
  return Array.from({ length: of.total }, (_, index) => shownEnd(join, ends[index]));
}
