/**
 * Timestamps as text, RFC 3339 with an offset or without (then local to a zone), against milliseconds since 1970.
 */

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds since 1970, or `null` where the text is no timestamp with an offset. Seconds may be left out. */
export function parseTimestamp(text: string): number | null {
  const match = RFC3339.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as Parts;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  const inDay = hour <= 23 && minute <= 59 && second <= 59 && offsetHours <= 23 && offsetMinutes <= 59;
  if (!inDay || month < 1 || day < 1 || day > daysInMonth(year, month)) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').padEnd(3, '0').slice(0, 3)));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return date.getTime() - (match[8] === '-' ? -offset : offset);
}

/**
 * The local time of a text without an offset, as the milliseconds at which clocks of UTC show it; `null` where the text
 * is none.
 */
export function parseLocalTime(text: string): number | null {
  return parseTimestamp(`${text}Z`);
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** ISO 8601 text in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : month <= 12 ? 31 : 0;
}
