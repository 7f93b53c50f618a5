/** Runs many runs: so many at once, in rounds that take turns, or one at a time. */
import type { Peer } from './peer.ts';
import { treeCpuMs } from './tree-cpu.ts';

/** One of those that are compared. */
export interface Contestant {
  /** The worker whose CPU time is measured. */
  readonly peer: Peer;
  /** Starts a run and waits for its end. Gives how long what is to be timed took, in ms. */
  run(): Promise<number>;
}

export interface Round {
  readonly runsPerSecond: number;
  /** Of the worker process, per run, in ms. */
  readonly cpuMs: number;
  /** Of all processes of the bench, per run, in ms: client, worker, Temporal, PostgreSQL. `null`: not known here. */
  readonly allCpuMs: number | null;
  /** Of each run. */
  readonly timesMs: readonly number[];
}

export interface LoadOptions {
  readonly rounds: number;
  readonly runs: number;
  readonly inFlight: number;
}

/**
 * Rounds in turns (A B A B …): gives those of each contestant, in its place. A round of each before them is not counted:
 * a worker lives for days, and V8 compiles what is hot within its first few hundred runs.
 */
export async function underLoad(contestants: readonly Contestant[], options: LoadOptions): Promise<Round[][]> {
  const rounds: Round[][] = contestants.map(() => []);
  for (const contestant of contestants) await drive(contestant, options);
  for (let round = 0; round < options.rounds; round++) {
    for (const [place, contestant] of contestants.entries()) {
      rounds[place]?.push(await measureRound(contestant, options));
    }
  }
  return rounds;
}

/** One run at a time, the contestants in turns: gives the times of each, in its place. */
export async function oneAtATime(contestants: readonly Contestant[], runs: number): Promise<number[][]> {
  const times: number[][] = contestants.map(() => []);
  for (const contestant of contestants) await contestant.run();
  for (let run = 0; run < runs; run++) {
    for (const [place, contestant] of contestants.entries()) times[place]?.push(await contestant.run());
  }
  return times;
}

async function measureRound(contestant: Contestant, options: LoadOptions): Promise<Round> {
  const cpuBefore = await contestant.peer.cpuMs();
  const allBefore = await treeCpuMs();
  const started = performance.now();
  const timesMs = await drive(contestant, options);
  const seconds = (performance.now() - started) / 1000;
  const cpu = (await contestant.peer.cpuMs()) - cpuBefore;
  const all = await treeCpuMs();
  return {
    runsPerSecond: options.runs / seconds,
    cpuMs: cpu / options.runs,
    allCpuMs: all === null || allBefore === null ? null : (all - allBefore) / options.runs,
    timesMs,
  };
}

async function drive(contestant: Contestant, { runs, inFlight }: LoadOptions): Promise<number[]> {
  const times: number[] = [];
  let left = runs;
  const lane = async (): Promise<void> => {
    while (left-- > 0) times.push(await contestant.run());
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, runs) }, lane));
  return times;
}
