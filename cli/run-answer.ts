/**
 * A run as an answer: its document, and exit 1 where it ended failed or cancelled.
 */
import type { RunDocument } from '../definitions/index.ts';
import { type Answer, EXIT, type ExitCode } from './answer.ts';
import { runText } from './output/run-text.ts';

export function runAnswer(run: RunDocument): Answer {
  return { document: run, text: (paint) => runText(paint, run), exit: exitOf(run) };
}

export function exitOf({ state }: Pick<RunDocument, 'state'>): ExitCode {
  return state === 'failed' || state === 'cancelled' ? EXIT.refused : EXIT.done;
}
