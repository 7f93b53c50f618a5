/** `workflow`: begins a run of a definition, or a hand-written workflow, and waits for its end unless told otherwise. */
import { childRunId } from '../../definitions/child-run-id.ts';
import { parseDuration } from '../../definitions/duration.ts';
import { type ErrorInfo, RunError } from '../../definitions/errors.ts';
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { isFermataError } from '../../definitions/fermata-error.ts';
import { toJson } from '../../definitions/json/json-value.ts';
import { LIMITS } from '../../definitions/limits.ts';
import type { Child, Waiting } from '../../definitions/records.ts';
import type { Json, WorkflowNode } from '../../definitions/types.ts';
import type { ChildState } from '../checkpoint.ts';
import { bookBytes, checkedBytes, openWait, releaseBytes } from '../context.ts';
import type { BegunChild, ChildOrder } from '../effects.ts';
import type { Step } from '../outcome.ts';
import { cancelledError, evaluate, isStopping, type Visit, visitId } from '../scope.ts';
import { cancelAt } from '../time-limit.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly what: ChildOrder['what'];
  readonly input: CompiledTemplate;
  readonly taskQueue: string | null;
  readonly detached: boolean;
  readonly timeoutMs: number;
}

export const workflow: NodeType<WorkflowNode, Config, ChildState> = {
  compile({ config }) {
    const { definitionId, version = 'active', workflowType = '', input = null, timeout } = config;
    return {
      what:
        definitionId === undefined
          ? { workflowType }
          : { definitionId, version: version === 'active' ? null : version },
      input: compileTemplate(input),
      taskQueue: config.taskQueue ?? null,
      detached: config.wait === false,
      timeoutMs: timeout === undefined ? Infinity : parseDuration(timeout),
    };
  },

  enter(visit) {
    const { run, scope, config, startedAt } = visit;
    const { tenant, depth = 0 } = run.start.run;
    if (depth >= LIMITS.childDepth) throw tooDeep(nameOf(config));
    const input = evaluate(scope, config.input);
    const bytes = checkedBytes('input of the run', input);
    bookBytes(run, bytes, 0);
    return {
      kind: 'workflow',
      runId: childRunId(tenant, nameOf(config), visitId(visit)),
      input,
      bytes,
      timeoutAt: config.timeoutMs === Infinity ? null : startedAt + config.timeoutMs,
      version: null,
    };
  },

  async proceed(visit, state) {
    const { run, scope, label, config } = visit;
    openWait(run, visit.seq, waitingFor(visit, state));
    const limited = scope.effects.openScope();
    const timer = config.detached
      ? null
      : cancelAt(state.timeoutAt ?? Infinity, { effects: scope.effects, summary: label, scope: limited });
    let child: BegunChild | null = null;
    try {
      child = await limited.startChild(orderOf(visit, state));
      state.version = child.version;
      openWait(run, visit.seq, waitingFor(visit, { ...state, runId: child.runId }));
      if (config.detached) return { kind: 'success', output: { runId: child.runId } };
      return ended(visit, child, await child.result());
    } catch (rejection) {
      return { kind: 'error', error: errorOf(visit, state, { child, error: run.effects.describe(rejection) }) };
    } finally {
      timer?.cancel();
      releaseBytes(run, state.bytes);
    }
  },
};

function nameOf({ what }: Config): string {
  return 'workflowType' in what ? what.workflowType : what.definitionId;
}

function orderOf(visit: Visit<Config>, { runId, input, version }: ChildState): ChildOrder {
  const { run, nodeId, label, config } = visit;
  const { id, tenant, depth = 0 } = run.start.run;
  const { what, taskQueue, detached } = config;
  return {
    run: { id: runId, tenant, initiator: { id, kind: 'run' }, depth: depth + 1 },
    what: 'definitionId' in what ? { ...what, version: version ?? what.version } : what,
    input,
    visitId: visitId(visit),
    nodeId,
    summary: label,
    taskQueue,
    detached,
  };
}

/** What a hand-written workflow gives may be anything that its converter can write. */
function ended({ nodeId, config }: Visit<Config>, { runId }: BegunChild, output: Json): Step {
  if ('definitionId' in config.what) return { kind: 'success', output };
  try {
    return { kind: 'success', output: toJson(output) };
  } catch (fault) {
    if (!isFermataError(fault)) throw fault;
    const message = `The output of the run ${runId} is not usable: ${fault.message}`;
    return { kind: 'error', error: { type: 'OUTPUT_INVALID', message, nodeId, details: { runId } } };
  }
}

/** Faults of what the node asked for stand by themselves; all else is the child's, which the error names. */
const OWN_FAULTS: readonly string[] = ['INPUT_INVALID', 'PAYLOAD_TOO_LARGE'];

function errorOf(
  { run, scope, nodeId, config }: Visit<Config>,
  state: ChildState,
  { child, error }: { readonly child: BegunChild | null; readonly error: ErrorInfo },
): ErrorInfo {
  const { timeoutAt } = state;
  const { runId } = child ?? state;
  const details: Json = { runId };
  const cancelled = error.type === 'CANCELLED';
  if (isStopping(scope) && cancelled) return cancelledError(scope, nodeId);
  if (!config.detached && timeoutAt !== null && run.effects.now() >= timeoutAt) {
    const message = `The run ${runId} took longer than the timeout of its node`;
    return { type: 'TIMEOUT', message, nodeId, details, ...(cancelled ? {} : { cause: error }) };
  }
  if (child === null && OWN_FAULTS.includes(error.type)) return { ...error, nodeId };
  const how = child ? (cancelled ? 'was cancelled' : `failed with ${error.type}`) : `could not begin: ${error.type}`;
  return { type: 'CHILD_FAILED', message: `The run ${runId} ${how}`, nodeId, details, cause: error };
}

function waitingFor({ nodeId, startedAt, config }: Visit<Config>, { runId, timeoutAt, version }: ChildState): Waiting {
  const { what, detached } = config;
  const child: Child =
    'workflowType' in what
      ? { runId, definitionId: null, workflowType: what.workflowType, version: null }
      : { runId, definitionId: what.definitionId, workflowType: null, version };
  const which = version === null ? '' : ` version ${version}`;
  const until = detached ? null : timeoutAt;
  return {
    nodeId,
    kind: 'workflow',
    since: startedAt,
    until,
    for: `the run ${runId} of ${nameOf(config)}${which}`,
    child,
  };
}

function tooDeep(name: string): RunError {
  const message = `${LIMITS.childDepth} runs stand above this one, each begun by the one before; it may begin no run of ${name}`;
  return new RunError('LIMIT_EXCEEDED', message, { limit: LIMITS.childDepth });
}
