/** `workflow`: begins a run of a definition, or a hand-written workflow, and waits for its end unless told otherwise. */
import { childRunId } from '../../definitions/child-run-id.ts';
import { parseDuration } from '../../definitions/duration.ts';
import { type ErrorInfo, RunError } from '../../definitions/errors.ts';
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { isFermataError } from '../../definitions/fermata-error.ts';
import { toJson } from '../../definitions/json/json-value.ts';
import { keptBy } from '../../definitions/json/kept-value.ts';
import { LIMITS } from '../../definitions/limits.ts';
import type { Child, Waiting } from '../../definitions/records.ts';
import type { Json, WorkflowNode } from '../../definitions/types.ts';
import type { ChildState } from '../checkpoint.ts';
import { bookBytes, checkedBytes, openWait } from '../context.ts';
import type { BegunChild, CancellableEffects, Effects } from '../effects.ts';
import { mustBeWhole, notWhole } from '../kept-values.ts';
import type { ChildOrder } from '../orders.ts';
import type { Step } from '../outcome.ts';
import { cancelledError, evaluate, isStopping, type Visit, visitId } from '../scope.ts';
import { cancelAt } from '../time-limit.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly what: ChildOrder['what'];
  readonly input: CompiledTemplate;
  readonly taskQueue: string | null;
  readonly detached: boolean;
  /** `null`: none, or nobody awaits the end. */
  readonly timeoutMs: number | null;
}

export const workflow: NodeType<WorkflowNode, Config, ChildState> = {
  compile({ config }) {
    const { definitionId, version = 'active', workflowType = '', input = null, wait, timeout } = config;
    return {
      what:
        definitionId === undefined
          ? { workflowType }
          : { definitionId, version: version === 'active' ? null : version },
      input: compileTemplate(input),
      taskQueue: config.taskQueue ?? null,
      detached: wait === false,
      timeoutMs: timeout === undefined || wait === false ? null : parseDuration(timeout),
    };
  },

  enter(visit) {
    const { run, scope, config, startedAt } = visit;
    const { tenant, depth = 0 } = run.start.run;
    if (depth >= LIMITS.childDepth) throw tooDeep(nameOf(config));
    const input = evaluate(scope, config.input);
    const bytes = checkedBytes('input of the run', input);
    // A run of a definition gets its input whole where it begins; nobody does that for a hand-written workflow.
    if ('workflowType' in config.what) mustBeWhole('input of the run', input);
    bookBytes(run, bytes, 0);
    return {
      kind: 'workflow',
      runId: childRunId(tenant, nameOf(config), visitId(visit)),
      input,
      bytes,
      timeoutAt: config.timeoutMs === null ? null : startedAt + config.timeoutMs,
      version: null,
    };
  },

  async proceed(visit, state) {
    const { run, config } = visit;
    openWait(run, visit.seq, waitingFor(visit, state));
    const { effects, timer } = limitedBy(visit, state);
    let child: BegunChild | null = null;
    // No fresh history before it has ended: Temporal would cut the tie between the two.
    run.slots.childBegins();
    try {
      child = await effects.startChild(orderOf(visit, state));
      state.version = child.version;
      openWait(run, visit.seq, waitingFor(visit, { ...state, runId: child.runId }));
      if (config.detached) return { kind: 'success', output: { runId: child.runId } };
      return ended(visit, child, await child.result());
    } catch (rejection) {
      return { kind: 'error', error: errorOf(visit, state, { child, error: run.effects.describe(rejection) }) };
    } finally {
      timer?.cancel();
      run.slots.childEnds();
    }
  },
};

/** The port of the child, which ends at the timeout of the node. */
function limitedBy(
  { scope, label }: Visit<Config>,
  { timeoutAt }: ChildState,
): { readonly effects: Effects; readonly timer: CancellableEffects | null } {
  const { effects } = scope;
  if (timeoutAt === null) return { effects, timer: null };
  const limited = effects.openScope();
  return { effects: limited, timer: cancelAt(timeoutAt, { effects, summary: label, scope: limited }) };
}

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
  if ('definitionId' in config.what) return { kind: 'success', output: keptBy(output, runId) };
  const fault = notWhole(`output of the run ${runId}`, output);
  if (fault !== null) return { kind: 'error', error: { ...fault, nodeId } };
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
  { run, scope, nodeId }: Visit<Config>,
  state: ChildState,
  { child, error }: { readonly child: BegunChild | null; readonly error: ErrorInfo },
): ErrorInfo {
  const { timeoutAt } = state;
  const { runId } = child ?? state;
  const details: Json = { runId };
  const cancelled = error.type === 'CANCELLED';
  if (isStopping(scope) && cancelled) return cancelledError(scope, nodeId);
  if (timeoutAt !== null && run.effects.now() >= timeoutAt) {
    const message = `The run ${runId} took longer than the timeout of its node`;
    return { type: 'TIMEOUT', message, nodeId, details, ...(cancelled ? {} : { cause: error }) };
  }
  if (child === null && OWN_FAULTS.includes(error.type)) return { ...error, nodeId };
  const how = child ? (cancelled ? 'was cancelled' : `failed with ${error.type}`) : `could not begin: ${error.type}`;
  return { type: 'CHILD_FAILED', message: `The run ${runId} ${how}`, nodeId, details, cause: error };
}

function waitingFor({ nodeId, startedAt, config }: Visit<Config>, { runId, timeoutAt, version }: ChildState): Waiting {
  const { what } = config;
  const child: Child =
    'workflowType' in what
      ? { runId, definitionId: null, workflowType: what.workflowType, version: null }
      : { runId, definitionId: what.definitionId, workflowType: null, version };
  const which = version === null ? '' : ` version ${version}`;
  return {
    nodeId,
    kind: 'workflow',
    since: startedAt,
    until: timeoutAt,
    for: `the run ${runId} of ${nameOf(config)}${which}`,
    child,
  };
}

function tooDeep(name: string): RunError {
  const message = `${LIMITS.childDepth} runs stand above this one, each begun by the one before; it may begin no run of ${name}`;
  return new RunError('LIMIT_EXCEEDED', message, { limit: LIMITS.childDepth });
}
