/**
 * A finding: one measured figure, what it is compared with, and the target it should meet.
 *
 * Targets are those of issue 3 and `docs/performance.md`.
 */

export interface Target {
  /** Of what: the figure itself, or its ratio to the figure it is compared with. */
  readonly of: 'value' | 'ratio';
  readonly bound: 'at least' | 'at most' | 'exactly';
  readonly limit: number;
}

export interface Finding {
  /** What was run, such as `W1`. */
  readonly workload: string;
  /** What was measured, with its unit, such as `runs/s`. */
  readonly measure: string;
  /** Of Fermata. */
  readonly value: number;
  /** What it is compared with; `null`: nothing. */
  readonly base: { readonly name: string; readonly value: number } | null;
  /** `value` over `base`, as measured in pairs; `null` without a base. */
  readonly ratio: number | null;
  /** `null`: told for information. */
  readonly target: Target | null;
}

/** Whether the target is met; `null` where there is none. */
export function isMet({ value, ratio, target }: Finding): boolean | null {
  if (target === null) return null;
  const figure = target.of === 'ratio' ? ratio : value;
  if (figure === null) return false;
  switch (target.bound) {
    case 'at least':
      return figure >= target.limit;
    case 'at most':
      return figure <= target.limit;
    case 'exactly':
      return figure === target.limit;
  }
}
