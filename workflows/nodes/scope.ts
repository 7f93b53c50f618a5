/** `scope`: walks its nodes as one step, with a time limit of their own, and takes them back when an error leaves it. */
import { parseDuration } from '../../definitions/duration.ts';
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import type { ErrorInfo } from '../../definitions/errors.ts';
import type { ScopeNode } from '../../definitions/types.ts';
import type { ScopeState, UndoEntry } from '../checkpoint.ts';
import type { CompiledScope } from '../compile.ts';
import { type Later, whenThere } from '../later.ts';
import { type Outcome, type ScopeEnd, SUSPENDED, type Step } from '../outcome.ts';
import { leaveScope } from '../results.ts';
import { freshFrame, holderVisit, isLost, isStopping, outputOf, type Scope, type Visit } from '../scope.ts';
import { cancelAt } from '../time-limit.ts';
import { undoThose } from '../undo.ts';
import { walkScope } from '../walk.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly nodes: CompiledScope;
  readonly output: CompiledTemplate | null;
  readonly timeout: string | undefined;
  readonly undo: boolean;
}

export const scopeNode: NodeType<ScopeNode, Config, ScopeState> = {
  holdsScopes: true,

  compile({ config }, { compileScope }) {
    return {
      nodes: compileScope(config.nodes),
      output: config.output === undefined ? null : compileTemplate(config.output),
      timeout: config.timeout,
      undo: config.undo ?? false,
    };
  },

  enter({ config, startedAt }) {
    const timeoutAt = config.timeout === undefined ? null : startedAt + parseDuration(config.timeout);
    return { kind: 'scope', frame: freshFrame(config.nodes), timeoutAt, error: null };
  },

  proceed(visit, state) {
    const inner = innerScope(visit, state);
    if (state.error !== null) return leaveByError(visit, inner, state.error);
    return whenThere(walkInTime(visit, inner, state), (end): Later<Step> => {
      if (end.kind === 'suspended') return SUSPENDED;
      // Also where what was awaited past the limit succeeded: it is taken back.
      const isLate = end.kind !== 'end' && isPastLimit(inner);
      if (end.kind !== 'error' && !isLate) return leave(visit, inner, end);
      const cause = end.kind === 'error' ? end.error : undefined;
      state.error = isLate || cause === undefined ? timedOut(visit, cause) : cause;
      return leaveByError(visit, inner, state.error);
    });
  },
};

function innerScope(visit: Visit<Config>, { frame, timeoutAt }: ScopeState): Scope {
  const { run, scope, nodeId, config } = visit;
  const suffix = holderVisit(visit);
  return {
    run,
    parent: scope,
    nodes: config.nodes,
    frame,
    path: suffix === '' ? scope.path : `${scope.path}${nodeId}${suffix}/`,
    effects: scope.effects.openScope(),
    shared: 'all',
    locals: scope.locals,
    stopReason: () =>
      timeoutAt !== null && run.effects.now() >= timeoutAt ? `${nodeId} took longer than ${config.timeout}` : null,
  };
}

/** The timer exists only while something inside takes time. */
function walkInTime({ scope, label }: Visit<Config>, inner: Scope, { timeoutAt }: ScopeState): Later<ScopeEnd> {
  const walk = walkScope(inner);
  if (timeoutAt === null || !(walk instanceof Promise)) return walk;
  const timer = cancelAt(timeoutAt, { effects: scope.effects, summary: `${label}: timeout`, scope: inner.effects });
  return walk.finally(() => timer?.cancel());
}

function leave({ config }: Visit<Config>, inner: Scope, end: Extract<ScopeEnd, { kind: 'ended' | 'end' }>): Outcome {
  try {
    return end.kind === 'end' ? end : { kind: 'success', output: outputOf(inner, config.output) };
  } finally {
    leaveScope(inner);
  }
}

function leaveByError(visit: Visit<Config>, inner: Scope, error: ErrorInfo): Later<Step> {
  return whenThere(
    undoThose(visit.run, (entry) => mustUndo(visit, inner, entry)),
    (undone): Step => {
      if (!undone) return SUSPENDED;
      leaveScope(inner);
      return { kind: 'error', error: withNotUndone(visit, inner, error) };
    },
  );
}

/** Whether it was this scope's own limit that stopped it. */
function isPastLimit(inner: Scope): boolean {
  return inner.stopReason() !== null && inner.parent !== null && !isStopping(inner.parent);
}

function timedOut({ nodeId, config }: Visit<Config>, cause: ErrorInfo | undefined): ErrorInfo {
  const message = `${nodeId} took longer than its timeout of ${config.timeout}`;
  return { type: 'TIMEOUT', message, nodeId, ...(cause === undefined ? {} : { cause }) };
}

/** A run that stops undoes everything itself; a scope that is left by an error, or lost, what was done inside it. */
function mustUndo({ scope, config }: Visit<Config>, inner: Scope, entry: UndoEntry): boolean {
  if (!entry.path.startsWith(inner.path) || !config.nodes.inside.has(entry.nodeId)) return false;
  return entry.lost || (config.undo && (!isStopping(scope) || isLost(scope)));
}

/** What could not be undone stays with the run, and is told to whoever catches the error. */
function withNotUndone({ run, config }: Visit<Config>, inner: Scope, error: ErrorInfo): ErrorInfo {
  const left = run.checkpoint.undo.filter(
    ({ path, nodeId, notUndone }) =>
      notUndone !== null && path.startsWith(inner.path) && config.nodes.inside.has(nodeId),
  );
  if (left.length === 0) return error;
  const notUndone = left.map((entry) => entry.nodeId);
  return {
    ...error,
    message: `${error.message}; not undone: ${notUndone.join(', ')}`,
    details: { notUndone },
    cause: error,
  };
}
