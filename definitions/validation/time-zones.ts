/**
 * Whether a name is a time zone: the one place of `definitions/` that asks the host's zone data.
 *
 * What it is: a check of names, where definitions and calendars are written. What it is not: arithmetic with a zone; no
 * workflow code reaches this file.
 */
import { fixedZone } from '../time/zone.ts';

/** Whether this host knows the zone: an IANA name, `UTC`, or a fixed offset such as `+02:00`. */
export function isTimeZone(name: string): boolean {
  if (fixedZone(name) !== null) return true;
  try {
    // oxlint-disable-next-line no-restricted-globals -- the host is asked on purpose; see decision 0012
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
