/** What every workload tells of its rounds under load. */
import { type Compare, comparison, LIMIT } from './comparison.ts';
import type { Finding } from './finding.ts';
import type { Round } from './load.ts';
import { percentile } from './statistics.ts';

export const rateOf = (rounds: readonly Round[]): number[] => rounds.map(({ runsPerSecond }) => runsPerSecond);
export const cpuOf = (rounds: readonly Round[]): number[] => rounds.map(({ cpuMs }) => cpuMs);
const timesOf = (rounds: readonly Round[], share: number): number[] =>
  rounds.map(({ timesMs }) => percentile(timesMs, share));

export function loadFindings(
  workload: string,
  { ours, base, name }: { readonly ours: readonly Round[]; readonly base: readonly Round[]; readonly name: string },
): Finding[] {
  const compare = comparison({ workload, name });
  return [
    compare('runs/s', rateOf(ours), rateOf(base), LIMIT.atLeast(0.97)),
    ...cpuFindings(compare, { ours, base, limit: 1.05 }),
    compare('CPU of the worker, ms a run', cpuOf(ours), cpuOf(base), LIMIT.atMost(1.05)),
    compare('under load, p50 ms', timesOf(ours, 0.5), timesOf(base, 0.5)),
    compare('under load, p99 ms', timesOf(ours, 0.99), timesOf(base, 0.99)),
  ];
}

/** CPU of all processes; none where it is not known. */
export function cpuFindings(
  compare: Compare,
  { ours, base, limit }: { readonly ours: readonly Round[]; readonly base: readonly Round[]; readonly limit: number },
): Finding[] {
  const known = (rounds: readonly Round[]): number[] =>
    rounds.flatMap(({ allCpuMs }) => (allCpuMs === null ? [] : [allCpuMs]));
  if (known(ours).length === 0) return [];
  return [compare('CPU of all processes, ms a run', known(ours), known(base), LIMIT.atMost(limit))];
}
