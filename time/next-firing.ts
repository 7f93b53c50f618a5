/**
 * When a cron pattern fires by the clocks of a zone (language, section 3).
 *
 * Invariants:
 * 1. A local time that is skipped fires at the first valid moment after it. A pattern for every hour loses nothing by
 *    it, and goes on in real hours.
 * 2. A local time that is doubled fires once, the first time; a pattern of intervals (`*` or a step as minute or hour)
 *    fires both times.
 * 3. No moment is a firing twice.
 */
import type { Cron } from '../definitions/cron.ts';
import { localAt, momentsOf, DAY_MS, type Zone } from '../definitions/time/zone.ts';

/** The first firing behind `after`; `null`: there is none before the year 10000. */
export function nextFiring(cron: Cron, after: number, zone: Zone): number | null {
  let second = Infinity;
  let local: number | null = localAt(after, zone) - repeatedBehind(after, zone);
  for (;;) {
    local = cron.nextAfter(local);
    if (local === null) return Number.isFinite(second) ? second : null;
    const moments = momentsOf(local, zone);
    if (moments.first >= second) return second;
    if (moments.skipped && cron.isHourly) continue;
    if (moments.first > after) return moments.first;
    if (cron.isInterval && moments.second !== null && moments.second > after) second = Math.min(second, moments.second);
  }
}

/** How far clocks go back within the next day: local times so far behind may come once more. */
function repeatedBehind(after: number, zone: Zone): number {
  return Math.max(0, zone.offsetAt(after) - zone.offsetAt(after + DAY_MS));
}
