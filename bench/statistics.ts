/** Figures of a list of measured values. */

/** The value below which `share` (0 to 1) of the values lie. @throws where there are none */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('No values were measured');
  return value;
}

/** The middle value, or the mean of the two in the middle. @throws where there are none */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('No values were measured');
  return (lower + upper) / 2;
}

/**
 * The median of `ours[i] / base[i]`: rounds that ran one after the other are compared with each other, so that what the
 * machine did meanwhile falls out. @throws where there are none
 */
export function pairedRatio(ours: readonly number[], base: readonly number[]): number {
  return median(ours.flatMap((value, place) => (base[place] === undefined ? [] : [value / base[place]])));
}
