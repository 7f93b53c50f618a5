/**
 * H15: a batch of many items beside a small neighbour; played small in the suite and at full size in the soak.
 */
import { z } from 'zod';
import { CommandError } from '../../activities/command-error.ts';
import { defineCommand, type Registrable } from '../../activities/index.ts';
import type { RunDocument } from '../../definitions/records.ts';
import type { Definition } from '../../definitions/types.ts';
import type { Handle, Stage } from './stage.ts';
import { step } from './tell.ts';

export const FATAL_ITEM = 777;
export const AT_ONCE = 50;

export const batch: Definition = {
  id: 'h15-batch',
  output: '${nodes.all.output}',
  nodes: [
    {
      id: 'all',
      type: 'forEach',
      config: {
        items: 'input',
        concurrency: AT_ONCE,
        join: 'settled',
        output: true,
        nodes: [step('work', { payload: { item: '${item}' } })],
      },
    },
  ],
};

export const neighbour: Definition = { id: 'h15-neighbour', nodes: [step('quick')] };

/** Numbers from `from` on. */
export const items = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);

/** How the items have to end, in their order. */
export function ends(given: readonly number[]): string[] {
  return given.map((item) => (item === FATAL_ITEM ? 'failed' : 'completed'));
}

/** How they ended. */
export function endsOf({ output }: RunDocument): string[] {
  return (output as { status: string }[]).map(({ status }) => status);
}

/** The most commands that were under way at once, as the document tells it. */
export function mostOpen({ commands }: RunDocument): number {
  const moves = commands.flatMap(({ command, executedAt }) => [
    { at: Date.parse(command.timestamp), by: 1 },
    { at: Date.parse(executedAt ?? ''), by: -1 },
  ]);
  let open = 0;
  let most = 0;
  for (const { by } of moves.sort((one, other) => one.at - other.at || one.by - other.by)) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}

/** The handlers of both, with what they saw. */
export interface Seen {
  readonly commands: readonly Registrable[];
  /** Calls under way, and the most there were at once. */
  readonly mostOpen: () => number;
  readonly started: () => number;
  /** Calls `then` once, as soon as so many items have begun. */
  when(started: number, then: () => void): void;
}

export function handlers(): Seen {
  let [open, most, started] = [0, 0, 0];
  const waiting = new Map<number, () => void>();
  const work = defineCommand({
    type: 'work',
    input: z.object({ item: z.number() }),
    output: z.null(),
    async execute({ item }) {
      most = Math.max(most, ++open);
      waiting.get(++started)?.();
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      if (item === FATAL_ITEM) throw new CommandError('NO_STOCK', 'nothing left', { retryable: false });
      return null;
    },
  });
  const quick = defineCommand({ type: 'quick', input: z.unknown(), output: z.null(), execute: () => null });
  return {
    commands: [work, quick],
    mostOpen: () => most,
    started: () => started,
    when: (count, then) => waiting.set(count, then),
  };
}

/** Begins the batch, and `count` runs of the neighbour once `share` of the items have begun. */
export async function playBeside(
  stage: Stage,
  seen: Seen,
  { input, rolloverEvents, count }: { input: readonly number[]; rolloverEvents?: number; count: number },
): Promise<{ readonly big: Handle; readonly small: readonly Handle[] }> {
  const small = new Promise<readonly Handle[]>((resolve, reject) => {
    seen.when(seen.started() + Math.ceil(input.length * 0.3), () => {
      Promise.all(Array.from({ length: count }, () => stage.start(neighbour))).then(resolve, reject);
    });
  });
  const big = await stage.start(batch, { input, ...(rolloverEvents === undefined ? {} : { rolloverEvents }) });
  return { big, small: await small };
}
