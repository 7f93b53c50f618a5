/** `action`: gives a command to a handler, and remembers how to take it back. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { parseDuration } from '../../definitions/duration.ts';
import { bindingFor, DEFAULT_COMMAND_VERSION } from '../../definitions/handler-catalog.ts';
import { secretPointers } from '../../definitions/secret-references.ts';
import type { ActionNode, RetryPolicy } from '../../definitions/types.ts';
import { DEFAULT_JITTER } from '../../definitions/wire.ts';
import type { NodeState } from '../checkpoint.ts';
import { type CommandEnd, carryOut, give } from '../commands.ts';
import { bookBytes, checkedBytes } from '../context.ts';
import type { CommandOrder, ResolvedRetry } from '../orders.ts';
import type { Outcome } from '../outcome.ts';
import { errorAt, evaluate, visitId } from '../scope.ts';
import { rememberUndo, type UndoPlan } from '../undo.ts';
import type { CompileContext, NodeType } from './node-type.ts';

type State = Extract<NodeState, { kind: 'action' }>;

interface Config {
  /** All of the order that is the same at every visit. */
  readonly order: Pick<
    CommandOrder,
    | 'type'
    | 'version'
    | 'retry'
    | 'timeoutMs'
    | 'deadlineMs'
    | 'heartbeatMs'
    | 'taskQueue'
    | 'priority'
    | 'local'
    | 'secrets'
  >;
  readonly payload: CompiledTemplate;
  readonly undo: UndoPlan | null;
}

export const action: NodeType<ActionNode, Config, State> = {
  compile({ config }, { definition, handlers }) {
    const binding = bindingFor(handlers, config.command, config.version);
    const defaults = definition.defaults ?? {};
    const local = config.local ?? false;
    const timeout = config.timeout ?? defaults.timeout ?? binding?.timeout;
    const deadline = config.deadline ?? defaults.deadline;
    const heartbeat = config.heartbeat ?? binding?.heartbeat;
    return {
      order: {
        type: config.command,
        version: config.version ?? binding?.version ?? DEFAULT_COMMAND_VERSION,
        retry: resolveRetry({ ...binding?.retry, ...defaults.retry, ...config.retry }),
        timeoutMs: timeout === undefined ? (local ? LOCAL_TIMEOUT_MS : TIMEOUT_MS) : parseDuration(timeout),
        deadlineMs: deadline === undefined ? null : parseDuration(deadline),
        heartbeatMs: heartbeat === undefined ? null : parseDuration(heartbeat),
        taskQueue: config.taskQueue ?? defaults.taskQueue ?? null,
        priority: config.priority ?? defaults.priority ?? null,
        local,
        secrets: secretPointers(config.payload ?? {}),
      },
      payload: compileTemplate(config.payload ?? {}),
      undo: undoPlan(config.undo, handlers),
    };
  },

  enter({ run, scope, config }) {
    const payload = evaluate(scope, config.payload);
    const bytes = checkedBytes('payload of the command', payload);
    bookBytes(run, bytes, 0);
    return { kind: 'action', payload, given: give(run), bytes };
  },

  proceed(visit, { payload, given }) {
    const { run, scope, nodeId, label, config, seq } = visit;
    const order: CommandOrder = {
      ...config.order,
      commandId: visitId(visit),
      nodeId,
      summary: label,
      payload,
      undoes: null,
      rollback: false,
      awaitWhenCancelled: config.undo !== null,
    };
    const then = (end: CommandEnd): Outcome => {
      if (end.kind === 'error') return { kind: 'error', error: errorAt(visit, end.error) };
      if (config.undo) rememberUndo(visit, config.undo, { order, output: end.output });
      return { kind: 'success', output: end.output };
    };
    return carryOut(run, order, { effects: scope.effects, seq, given, then });
  },
};

function undoPlan(undo: ActionNode['config']['undo'], handlers: CompileContext['handlers']): UndoPlan | null {
  if (undo === undefined || undo === false) return null;
  if (undo === true) return { kind: 'rollback' };
  return {
    kind: 'command',
    type: undo.command,
    version: bindingFor(handlers, undo.command)?.version ?? DEFAULT_COMMAND_VERSION,
    payload: compileTemplate(undo.payload ?? {}),
    secrets: secretPointers(undo.payload ?? {}),
  };
}

/** Built-in defaults of the language, section 6. */
const TIMEOUT_MS = 60_000;
const LOCAL_TIMEOUT_MS = 5_000;

/** Fills in the defaults of the language, section 6. */
export function resolveRetry(policy: RetryPolicy): ResolvedRetry {
  return {
    maxAttempts: policy.maxAttempts ?? 3,
    initialIntervalMs: parseDuration(policy.initialInterval ?? '1s'),
    backoffCoefficient: policy.backoffCoefficient ?? 2,
    maxIntervalMs: parseDuration(policy.maxInterval ?? '1m'),
    jitter: policy.jitter ?? DEFAULT_JITTER,
    nonRetryable: policy.nonRetryable ?? [],
  };
}
