/** Makes findings out of what was measured in turns. */
import type { Finding, Target } from './finding.ts';
import { median, pairedRatio } from './statistics.ts';

/** Targets: on the ratio, and on the figure itself. */
export const LIMIT = {
  atLeast: (limit: number): Target => ({ of: 'ratio', bound: 'at least', limit }),
  atMost: (limit: number): Target => ({ of: 'ratio', bound: 'at most', limit }),
  valueAtLeast: (limit: number): Target => ({ of: 'value', bound: 'at least', limit }),
  valueAtMost: (limit: number): Target => ({ of: 'value', bound: 'at most', limit }),
} as const;

export type Compare = (
  measure: string,
  ours: readonly number[],
  base: readonly number[],
  target?: Target | null,
) => Finding;

/** `ours` and `base`: measured in turns, so that what stands at the same place belongs together. */
export function comparison({ workload, name }: { readonly workload: string; readonly name: string }): Compare {
  return (measure, ours, base, target = null) => ({
    workload,
    measure,
    value: median(ours),
    base: { name, value: median(base) },
    ratio: pairedRatio(ours, base),
    target,
  });
}
