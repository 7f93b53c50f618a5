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
import { bookBytes, errorOf, namesFor, type RunContext, type Visit, visitId } from './context.ts';
import type { CommandOrder } from './effects.ts';

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
  const { run, frame, nodeId } = visit;
  const { order, output } = done;
  const entry = (payload: Json, notUndone: ErrorInfo | null): UndoEntry => ({
    nodeId,
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
    const names = namesFor(run, frame);
    const nodes = { ...frame.nodes, [nodeId]: { output, outcome: 'success', error: null } };
    const payload =
      plan.kind === 'rollback'
        ? { input: order.payload, output }
        : plan.payload.evaluate({ ...names, nodes }, run.meter);
    const remembered = entry(payload, null);
    bookBytes(run, jsonBytes(remembered as unknown as Json), 0);
    run.checkpoint.undo.push(remembered);
  } catch (fault) {
    run.checkpoint.undo.push(entry(null, errorOf(fault, nodeId)));
    throw fault;
  }
}

/**
 * Takes back what the run remembers, latest first. Gives `ending` as it is, or `failed` with the list of what is not
 * undone. Gives `null` when the run should go on in a fresh history first.
 */
export async function undoAll(run: RunContext, ending: Ending): Promise<Ending | null> {
  const { undo } = run.checkpoint;
  for (let index = undo.length - 1; index >= 0; index--) {
    const entry = undo[index] as UndoEntry;
    if (entry.notUndone !== null) continue;
    if (run.effects.rolloverDue()) return null;
    entry.given ??= give(run);
    const at = { effects: run.effects, seq: 0, given: entry.given, then: (done: CommandEnd) => done };
    const end = await carryOut(run, entry.order, at);
    if (end.kind === 'suspended') return null;
    if (end.kind === 'success') undo.splice(index, 1);
    else entry.notUndone = end.error;
  }
  return undo.length === 0 ? ending : incomplete(ending, undo);
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
