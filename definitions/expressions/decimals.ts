/** Numbers as text with a fixed number of digits, the same on every host. */

/** As many digits as toFixed gives; beyond them no double that is exactly between two has any. */
const EXACT_DIGITS = 100;

/** With `precision` digits after the point; a number exactly between two is rounded to the even one. */
export function decimals(value: number, precision: number): string {
  if (!Number.isFinite(value)) return String(value);
  const magnitude = Math.abs(value);
  const digits = magnitude >= 1e21 ? withZeros(BigInt(magnitude).toString(), precision) : rounded(magnitude, precision);
  return value < 0 ? `-${digits}` : digits;
}

function withZeros(whole: string, precision: number): string {
  return precision === 0 ? whole : `${whole}.${'0'.repeat(precision)}`;
}

function rounded(magnitude: number, precision: number): string {
  const up = magnitude.toFixed(precision);
  // toFixed rounds an exact half up. A half shows as a 5 and nothing behind it in the exact expansion.
  const exact = magnitude.toFixed(EXACT_DIGITS);
  const cut = exact.indexOf('.') + 1 + precision;
  if (!/^50*$/.test(exact.slice(cut))) return up;
  const down = exact.slice(0, precision === 0 ? cut - 1 : cut);
  return /[02468]$/.test(down) ? down : up;
}

/** `1.500000e+00`: at least two digits in the exponent. */
export function exponent(value: number, precision: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value.toExponential(precision).replace(/([+-])(\d)$/, '$10$2');
}
