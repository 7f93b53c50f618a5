/** Check 5: more runs than a worker keeps in mind, looked at all the time: an answer is never that of another run or moment. */
import type { Definition } from '../../definitions/types.ts';
import { STATE } from '../../definitions/wire.ts';
import type { RunView } from '../../workflows/run-view.ts';
import { type Handle, openStage } from '../cases/stage.ts';

/** Runs that the worker keeps. */
const CACHED = 3;

export interface CacheReport {
  readonly runs: number;
  readonly answers: number;
  readonly completed: number;
}

/** A loop of `turns` commands; the number of the run is in all that it says. */
const looping = (turns: number): Definition => ({
  id: 'cache-torture',
  vars: { n: 0, of: '${input.of}' },
  output: { of: '${vars.of}', n: '${vars.n}' },
  nodes: [
    { id: 'inc', type: 'action', config: { command: 'increment', payload: { n: '${vars.n}' } }, nextNodeId: 'keep' },
    { id: 'keep', type: 'assign', config: { vars: { n: '${nodes.inc.output.n}' } }, nextNodeId: 'more' },
    { id: 'more', type: 'condition', config: { expression: `vars.n < ${turns}` }, nextNodeId: 'inc' },
  ],
});

export interface TortureOptions {
  readonly runs: number;
  /** Commands of each run. */
  readonly turns: number;
  /** Queries while they go on; each is asked once more when it has ended. */
  readonly asks: number;
}

/** @throws Error naming the run whose answer was wrong */
export async function tortureCache({ runs, turns, asks }: TortureOptions): Promise<CacheReport> {
  const stage = await openStage({ tuning: { maxCachedWorkflows: CACHED } });
  try {
    const handles: Handle[] = [];
    for (let of = 0; of < runs; of++) handles.push(await stage.start(looping(turns), { input: { of } }));
    const last = new Map<number, number>();
    for (let answer = 0; answer < asks; answer++) await ask({ handles, turns, last }, answer % runs);
    for (const [of, handle] of handles.entries()) {
      const result = (await handle.result()) as unknown as { readonly of: number; readonly n: number };
      if (result.of !== of || result.n !== turns) throw new Error(`run ${of} ended with ${JSON.stringify(result)}`);
      await ask({ handles, turns, last }, of);
    }
    for (const handle of handles.slice(0, 5)) await stage.conclude(handle, { withinMs: 60_000 });
    return { runs, answers: asks + runs, completed: handles.length };
  } finally {
    await stage.close();
  }
}

interface Asked {
  readonly handles: readonly Handle[];
  readonly turns: number;
  /** The number that each run answered before. */
  readonly last: Map<number, number>;
}

/** Asks a run where it is: in its own loop, and never further back than before. */
async function ask({ handles, turns, last }: Asked, of: number): Promise<void> {
  const { vars } = await (handles[of] as Handle).query<RunView>(STATE);
  const n = Number(vars['n']);
  const before = last.get(of) ?? 0;
  if (vars['of'] !== of || n < before || n > turns) {
    throw new Error(`run ${of} was at ${before}, and answers ${JSON.stringify(vars)}`);
  }
  last.set(of, n);
}
