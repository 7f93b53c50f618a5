/**
 * Named time zones, from the zone data of this host.
 *
 * Invariants:
 * 1. Every answer that a run sees is recorded; so hosts with other data change no replay.
 */
import { RunError } from '../definitions/errors.ts';
import { excerpt } from '../definitions/excerpt.ts';
import { fixedZone, type Zone } from '../definitions/time/zone.ts';

/** Zones made so far, by name: to make one costs a hundred times as much as to ask it. */
const zones = new Map<string, Zone>();

/**
 * A zone by its IANA name, `UTC`, or a fixed offset.
 * @throws RunError `EXPRESSION_ERROR` where this host knows no such zone
 */
export function zoneNamed(name: string): Zone {
  const known = fixedZone(name) ?? zones.get(name);
  if (known !== undefined) return known;
  const zone = makeZone(name);
  zones.set(name, zone);
  return zone;
}

function makeZone(name: string): Zone {
  const clocks = clocksOf(name);
  return {
    offsetAt(ms) {
      const shown: { [part: string]: number } = {};
      for (const { type, value } of clocks.formatToParts(ms)) shown[type] = Number(value);
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
      return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
    },
  };
}

function clocksOf(timeZone: string) {
  const number = 'numeric';
  const parts = { year: number, month: number, day: number, hour: number, minute: number, second: number } as const;
  try {
    // oxlint-disable-next-line no-restricted-globals -- the host is asked on purpose; see decision 0012
    return new Intl.DateTimeFormat('en', { timeZone, calendar: 'iso8601', hourCycle: 'h23', ...parts });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const shown = JSON.stringify(excerpt(timeZone, 100));
    const message = `timeZone must be one such as "Europe/Paris", "UTC" or "+02:00", not ${shown}`;
    throw new RunError('EXPRESSION_ERROR', message, { field: 'timeZone', value: shown });
  }
}
