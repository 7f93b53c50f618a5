/**
 * Local time: what the clocks of a zone show, against milliseconds since 1970.
 *
 * What it is: arithmetic over a zone's offsets. What it is not: knowledge of named zones, whose data differ between
 * hosts; those are made in `time/` and never reach the workflow sandbox. UTC and fixed offsets are here.
 *
 * Invariants:
 * 1. A local time is written as the milliseconds at which clocks of UTC show the same.
 * 2. A skipped local time means the first valid moment after it, a doubled one the first of the two.
 */
export interface Zone {
  /** How far the clocks of the zone are ahead of UTC at a moment, in ms. */
  offsetAt(ms: number): number;
}

export const DAY_MS = 86_400_000;
/** Which offsets are fixed by their name; other names are looked up by the worker. */
const FIXED = /^(?:UTC|Etc\/UTC|GMT|([+-])(\d{2}):(\d{2}))$/;

/** The zone of a fixed offset, `UTC` or such as `+02:00`; `null`: its name is no fixed offset. */
export function fixedZone(name: string): Zone | null {
  const match = FIXED.exec(name);
  if (match === null) return null;
  const [, sign, hours = '0', minutes = '0'] = match;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { offsetAt: () => (sign === '-' ? -ms : ms) };
}

/** The local time at a moment. */
export function localAt(ms: number, zone: Zone): number {
  return ms + zone.offsetAt(ms);
}

/** The moments at which clocks show a local time. */
export interface LocalMoments {
  /** Of a skipped local time: the first valid moment after it. */
  readonly first: number;
  /** Of a doubled local time; else `null`. */
  readonly second: number | null;
  readonly skipped: boolean;
}

/** The moment that a local time means. */
export function momentOf(local: number, zone: Zone): number {
  return momentsOf(local, zone).first;
}

/** Looks a day to both sides, which is more than any zone is ahead of UTC: so the offsets are those around a change. */
export function momentsOf(local: number, zone: Zone): LocalMoments {
  const before = zone.offsetAt(local - DAY_MS);
  const after = zone.offsetAt(local + DAY_MS);
  const moments = [local - before, local - after].filter((ms) => localAt(ms, zone) === local);
  const [first, second] = moments.sort((a, b) => a - b);
  if (first === undefined)
    return { first: changeBetween(local - after, local - before, zone), second: null, skipped: true };
  return { first, second: second === undefined || second === first ? null : second, skipped: false };
}

/** The first moment of the offset that holds at `to`, when another holds at `from`. */
function changeBetween(from: number, to: number, zone: Zone): number {
  const offset = zone.offsetAt(to);
  let [old, changed] = [from, to];
  while (changed - old > 1) {
    const middle = Math.floor((old + changed) / 2);
    if (zone.offsetAt(middle) === offset) changed = middle;
    else old = middle;
  }
  return changed;
}
