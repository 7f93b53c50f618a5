/**
 * The calendar fields of timestamps, in UTC or at a fixed offset.
 *
 * Written here since the library's go through the host's local time and, for named zones, its zone data: both differ
 * between hosts. Named zones are for `delay`, schedules and calendars, which workers compute and record.
 */
import { type CelFunc, CelScalar, celFunc, celMethod, objectType } from '@bufbuild/cel';
import { create } from '@bufbuild/protobuf';
import { DurationSchema, timestampFromMs, timestampMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { quoted, wholeNumber } from './numbers.ts';

const { DOUBLE, INT, STRING } = CelScalar;
const TIMESTAMP = objectType(TimestampSchema);
const DURATION = objectType(DurationSchema);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Years 1 to 9999. */
const SECONDS = { first: -62_135_596_800, last: 253_402_300_799 };

/** Milliseconds east of UTC. @throws Error for a named zone */
function offsetOf(zone: string): number {
  if (zone === 'UTC' || zone === 'Z' || zone === '') return 0;
  const match = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (match === null)
    throw new Error(`${quoted(zone)} is not UTC or an offset such as "+02:00"; named zones differ between hosts`);
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * MINUTE;
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - new Date(date).setUTCMonth(0, 1)) / DAY);
}

const FIELDS: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

/** A timestamp from seconds since 1970, the inverse of `int(timestamp)`. */
function fromSeconds(seconds: number): ReturnType<typeof timestampFromMs> {
  if (seconds < SECONDS.first || seconds > SECONDS.last)
    throw new Error(`${seconds} seconds is outside the years 1 to 9999`);
  return timestampFromMs(seconds * 1000);
}

export function timeFunctions(): CelFunc[] {
  return [
    celFunc('timestamp', [INT], TIMESTAMP, (seconds) => fromSeconds(Number(seconds))),
    celFunc('timestamp', [DOUBLE], TIMESTAMP, (seconds) => fromSeconds(wholeNumber(seconds))),
    celFunc('duration', [DOUBLE], DURATION, (seconds) =>
      create(DurationSchema, { seconds: BigInt(wholeNumber(seconds)) }),
    ),
    ...Object.entries(FIELDS).flatMap(([name, field]) => [
      celMethod(name, TIMESTAMP, [], INT, function () {
        return BigInt(field(new Date(timestampMs(this.message))));
      }),
      celMethod(name, TIMESTAMP, [STRING], INT, function (zone) {
        return BigInt(field(new Date(timestampMs(this.message) + offsetOf(zone))));
      }),
    ]),
  ];
}
