/**
 * Timestamps as text, RFC 3339 with an offset, against milliseconds since 1970.
 */

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970, or `null` where the text is no timestamp with an offset. Seconds may be left out. */
export function parseTimestamp(text: string): number | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset = 'Z'] = match;
  if (Number(month) < 1 || Number(day) < 1 || Number(day) > daysInMonth(Number(year), Number(month))) return null;
  const zone = offset.toUpperCase();
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(ms) ? null : ms;
}

/** ISO 8601 text in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : month <= 12 ? 31 : 0;
}
