/**
 * Undo: what was done is taken back in reverse order, outside any cancellation.
 *
 * Invariants:
 * 1. A command is remembered when it has succeeded, with everything its undo needs; one whose undo cannot be made is
 *    remembered as not undone.
 * 2. An undo that gives up does not stop the others.
 * 3. The list is in the checkpoint: an undo can go on in a fresh history.
 */
import type { CompiledTemplate } from '../definitions/expressions/index.ts';
import type { ErrorInfo } from '../definitions/errors.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import type { Ending, UndoEntry } from './checkpoint.ts';
import { type CommandEnd, carryOut, give } from './commands.ts';
import { bookBytes, errorOf, isRolloverDue, type RunContext, releaseBytes } from './context.ts';
import type { Later } from './later.ts';
import type { CommandOrder } from './orders.ts';
import { isLost, namesFor, type Visit, visitId } from './scope.ts';

/** How an action is undone: by its handler's own `rollback`, or by another command. */
export type UndoPlan =
  | { readonly kind: 'rollback' }
  | {
      readonly kind: 'command';
      readonly type: string;
      readonly version: number;
      readonly payload: CompiledTemplate;
      readonly secrets: readonly string[];
    };

/** Attempts of one undo, where nothing else is said. */
const UNDO_ATTEMPTS = 5;

/** Remembers a command that has succeeded. @throws RunError where its undo cannot be made or is too large to keep */
export function rememberUndo(visit: Visit<unknown>, plan: UndoPlan, done: { order: CommandOrder; output: Json }): void {
  const { run, scope, nodeId } = visit;
  const { order, output } = done;
  const entry = (payload: Json, notUndone: ErrorInfo | null): UndoEntry => ({
    nodeId,
    path: scope.path,
    lost: isLost(scope),
    order: {
      ...order,
      commandId: `${visitId(visit)}/undo`,
      summary: `undo ${order.summary}`,
      ...(plan.kind === 'command' ? { type: plan.type, version: plan.version, secrets: plan.secrets } : {}),
      payload,
      retry: { ...order.retry, maxAttempts: Math.max(order.retry.maxAttempts, UNDO_ATTEMPTS) },
      undoes: order.commandId,
      rollback: plan.kind === 'rollback',
      awaitWhenCancelled: false,
    },
    given: null,
    notUndone,
  });
  try {
    const payload = plan.kind === 'rollback' ? { input: order.payload, output } : undoPayload(visit, plan, output);
    const remembered = entry(payload, null);
    bookBytes(run, entryBytes(remembered), 0);
    run.checkpoint.undo.push(remembered);
  } catch (fault) {
    run.checkpoint.undo.push(entry(null, errorOf(fault, nodeId)));
    throw fault;
  }
}

/** The payload of an undo command sees the output of the command that it takes back. */
function undoPayload({ run, scope, nodeId }: Visit<unknown>, plan: UndoPlan & { kind: 'command' }, output: Json): Json {
  const names = namesFor(scope);
  const nodes = { ...(names.nodes as object), [nodeId]: { output, outcome: 'success', error: null } };
  return plan.payload.evaluate({ ...names, nodes }, run.meter);
}

/**
 * Takes back what the run remembers, latest first. Gives `ending` as it is, or `failed` with the list of what is not
 * undone. Gives `null` when the run should go on in a fresh history first.
 */
export async function undoAll(run: RunContext, ending: Ending): Promise<Ending | null> {
  const done = await undoThose(run, () => true);
  if (!done) return null;
  const { undo } = run.checkpoint;
  return undo.length === 0 ? ending : incomplete(ending, undo);
}

/**
 * Takes back those of the remembered commands that `concerns` names, latest first; what cannot be undone stays in the
 * list and says why. Gives `false` when the run should go on in a fresh history first.
 */
export function undoThose(run: RunContext, concerns: (entry: UndoEntry) => boolean): Later<boolean> {
  const isLeft = (entry: UndoEntry): boolean => entry.notUndone === null && concerns(entry);
  return run.checkpoint.undo.some(isLeft) ? undoEach(run, isLeft) : true;
}

async function undoEach(run: RunContext, isLeft: (entry: UndoEntry) => boolean): Promise<boolean> {
  const { undo } = run.checkpoint;
  for (;;) {
    const entry = undo.findLast(isLeft);
    if (entry === undefined) return true;
    if (isRolloverDue(run)) return false;
    entry.given ??= give(run);
    const at = { effects: run.effects, seq: 0, given: entry.given, then: (done: CommandEnd) => done };
    const end = await carryOut(run, entry.order, at);
    if (end.kind === 'suspended') return false;
    if (end.kind === 'success') forget(run, entry);
    else entry.notUndone = end.error;
  }
}

function forget(run: RunContext, entry: UndoEntry): void {
  const { undo } = run.checkpoint;
  undo.splice(undo.indexOf(entry), 1);
  releaseBytes(run, entryBytes(entry));
}

function incomplete(ending: Ending, left: readonly UndoEntry[]): Ending {
  const notUndone = left.map((entry) => ({
    nodeId: entry.nodeId,
    commandId: entry.order.undoes,
    error: { type: entry.notUndone?.type ?? '', message: entry.notUndone?.message ?? '' },
  }));
  const first: ErrorInfo = ending.error ?? { type: 'CANCELLED', message: 'The run was cancelled', nodeId: null };
  const names = left.map((entry) => entry.nodeId).join(', ');
  return {
    state: 'failed',
    output: null,
    error: { ...first, message: `${first.message}; not undone: ${names}`, details: { notUndone }, cause: first },
  };
}

/** What the run's state pays for an entry: what it was when it was made. */
function entryBytes(entry: UndoEntry): number {
  return jsonBytes({ ...entry, given: null } as unknown as Json);
}
