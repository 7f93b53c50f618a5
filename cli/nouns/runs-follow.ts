/**
 * `fermata runs result` and `fermata runs watch`: a run to its end.
 *
 * Invariants:
 * 1. Ctrl-C ends the waiting, never the run; exit 130.
 */
import type { Command } from 'commander';
import type { Fermata } from '../../client/index.ts';
import { FermataError, type RunDocument } from '../../definitions/index.ts';
import type { Answer } from '../answer.ts';
import { addConnectedAction } from '../connection.ts';
import { readDuration } from '../input/read-duration.ts';
import { INTERRUPTED } from '../interruption.ts';
import type { Io } from '../io.ts';
import { paintFor, paintState, plain } from '../output/paint.ts';
import { startProgress } from '../output/progress.ts';
import { outcomeText } from '../output/run-text.ts';
import { changeLines } from '../output/watch-text.ts';
import { runAnswer } from '../run-answer.ts';
import { addExamples, type Call, type Session } from '../verb.ts';

/** Milliseconds between two looks at a run. */
const LOOK_EVERY_MS = 250;

interface Options {
  readonly timeout?: number;
}

export function addResult(noun: Command, session: Session): void {
  const command = noun
    .command('result')
    .summary('wait for the end of a run and print its output')
    .description(
      'Waits until a run has ended and prints its output; with --json the whole run. ' +
        'Exit 1 when it ended failed or cancelled. Ctrl-C ends the waiting, not the run.',
    )
    .argument('<run>', 'run id')
    .option('--timeout <duration>', 'wait no longer, such as 30s; then exit 1', readDuration);
  addExamples(command, [
    ['fermata runs result order/k3f9-x2m7-qd4t', 'wait and print the output as JSON'],
    ['fermata runs result order/k3f9-x2m7-qd4t --timeout 30s --json', 'wait half a minute, print the whole run'],
  ]);
  addConnectedAction<Options>(command, session, async (fermata, { args: [runId = ''], options, io }) => {
    const answer = await follow(fermata, runId, { io, timeoutMs: options.timeout });
    return { ...answer, text: (paint) => outcomeText(paint, answer.document) };
  });
}

export function addWatch(noun: Command, session: Session): void {
  const command = noun
    .command('watch')
    .summary('follow a run to its end')
    .description(
      'Follows a run and prints what it does as it does it, until it ends; with --json only the run at its end. ' +
        'Exit 1 when it ended failed or cancelled. Ctrl-C ends the watching, not the run.',
    )
    .argument('<run>', 'run id')
    .option('--timeout <duration>', 'watch no longer, such as 30s; then exit 1', readDuration);
  addExamples(command, [['fermata runs watch order/k3f9-x2m7-qd4t', 'follow a run']]);
  addConnectedAction<Options>(command, session, watch);
}

async function watch(fermata: Fermata, { args: [runId = ''], options, io }: Call<Options>): Promise<Answer> {
  const paint = paintFor(io.stdout);
  let before: RunDocument | null = null;
  const onChange = (run: RunDocument): void => {
    for (const line of changeLines(paint, before, run)) io.stdout.write(`${line}\n`);
    before = run;
  };
  const wait = { io, timeoutMs: options.timeout };
  const answer = await follow(fermata, runId, options.json === true ? wait : { ...wait, onChange });
  return { ...answer, text: () => `${paintState(paint, answer.document.state)} ${plain(runId)}` };
}

export interface FollowOptions {
  readonly io: Io;
  readonly timeoutMs?: number | undefined;
  /** Instead of a spinner. */
  readonly onChange?: (run: RunDocument) => void;
}

/**
 * The run at its end, or as it stood at Ctrl-C.
 * @throws FermataError `run.not_found`, `run.wait_timeout`
 */
export async function follow(
  fermata: Fermata,
  runId: string,
  { io, timeoutMs, onChange }: FollowOptions,
): Promise<Answer & { readonly document: RunDocument }> {
  const progress = startProgress(io, { quiet: true });
  const interrupted = io.interruption();
  const late = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
  const signal = late === null ? interrupted : AbortSignal.any([interrupted, late]);
  let last: RunDocument | null = null;
  try {
    for await (const run of fermata.runs.watch(runId, { signal, everyMs: LOOK_EVERY_MS })) {
      last = run;
      if (onChange === undefined) progress.step(progressText(run));
      else onChange(run);
    }
  } finally {
    progress.stop();
  }
  if (late?.aborted === true && last?.completedAt === null) throw stillGoing(runId, timeoutMs ?? 0);
  const run = last ?? (await fermata.runs.show(runId));
  return { ...runAnswer(run), document: run, ...(run.completedAt === null ? { exit: INTERRUPTED } : {}) };
}

function progressText({ runId, state, waiting }: RunDocument): string {
  const [wait] = waiting;
  if (wait === undefined) return `${plain(runId)} ${state}`;
  return `${plain(runId)} ${state}, waits${wait.nodeId === '' ? '' : ` at ${wait.nodeId}`} for ${plain(wait.for)}`;
}

function stillGoing(runId: string, timeoutMs: number): FermataError {
  const message = `the run "${runId}" had not ended after ${timeoutMs} ms; it goes on`;
  return new FermataError('run.wait_timeout', message, { runId, timeoutMs });
}
