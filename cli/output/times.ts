/**
 * Times and durations for people. Times are UTC and say so.
 */

/** `2027-01-01 09:30:00Z`; `–` for none. */
export function timeText(time: string | Date | null): string {
  if (time === null) return '–';
  const iso = typeof time === 'string' ? time : time.toISOString();
  return iso.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** `2h`, `1d 3h`, `4.5s`, `12ms`: the two largest units that are there. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))}s`;
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}

/** Between two ISO times; `–` where the second is not known. */
export function spanBetween(from: string, to: string | null): string {
  return to === null ? '–' : spanText(Date.parse(to) - Date.parse(from));
}
