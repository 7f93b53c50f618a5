/**
 * `text.format(values)` of CEL's strings extension.
 *
 * Written here since the library's formats numbers with the host's Intl and sorts keys by the host's locale: the same
 * run must format alike on every worker.
 */
import { type CelList, type CelValue, isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel';
import { chargeText, chargeValues } from './budget.ts';
import { decimals, exponent } from './decimals.ts';
import { callLibrary } from './library.ts';
import { messageText } from './messages.ts';
import { utf8 } from './utf8.ts';

const DEFAULT_PRECISION = 6;
/** Showing a value costs as much as reading so many. */
const COST_PER_VALUE = 4;
/** What `Number.prototype.toFixed` can do. */
const MAX_PRECISION = 100;

/** @throws Error @throws BudgetSpent */
export function format(text: string, values: CelList): string {
  chargeText(text.length);
  let used = 0;
  const result = text.replace(
    /%(?:%|(?:\.(\d{0,4}))?([\s\S]?))/g,
    (clause: string, precision: string | undefined, verb: string | undefined) => {
      if (clause === '%%') return '%';
      if (verb === undefined || verb === '') throw new Error('the format string ends within a clause');
      const value = values.get(used);
      if (used >= values.size || value === undefined)
        throw new Error('the format string has more clauses than there are values');
      used += 1;
      return render(verb, value, precision === undefined ? DEFAULT_PRECISION : Number(precision));
    },
  );
  if (used < values.size) throw new Error('there are more values than clauses in the format string');
  return result;
}

function render(verb: string, value: CelValue, precision: number): string {
  if (precision > MAX_PRECISION) throw new Error(`a precision is at most ${MAX_PRECISION}`);
  switch (verb) {
    case 's':
      return plain(value);
    case 'd':
      return typeof value === 'number' && !Number.isFinite(value) ? String(value) : integer(value, 10, verb);
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : integer(value, 2, verb);
    case 'o':
      return integer(value, 8, verb);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    case 'f':
      return decimals(floating(value), precision);
    case 'e':
      return exponent(floating(value), precision);
    default:
      throw new Error(`unknown clause %${verb} in the format string`);
  }
}

function integer(value: CelValue, radix: number, verb: string): string {
  if (typeof value === 'bigint') return value.toString(radix);
  if (isCelUint(value)) return value.value.toString(radix);
  // A whole number of JSON is as good as an integer literal.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value.toString(radix);
  throw new Error(`%${verb} takes an integer`);
}

function floating(value: CelValue): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw new Error('%f and %e take a number with a fraction: write double(…)');
}

function hexadecimal(value: CelValue): string {
  const bytes = typeof value === 'string' ? utf8(value) : value;
  if (!(bytes instanceof Uint8Array)) return integer(value, 16, 'x');
  chargeText(2 * bytes.length);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `%s`: any value. */
function plain(value: CelValue): string {
  const text = scalar(value);
  if (text !== null) {
    chargeText(text.length);
    return text;
  }
  if (isCelList(value)) {
    chargeValues(COST_PER_VALUE * value.size);
    return `[${Array.from(value, plain).join(', ')}]`;
  }
  if (!isCelMap(value)) throw new Error('%s cannot show this value');
  chargeValues(COST_PER_VALUE * value.size);
  const entries = Array.from(value.entries(), ([key, item]): [string, string] => [plain(key), plain(item)]);
  entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${entries.map(([key, item]) => `${key}: ${item}`).join(', ')}}`;
}

function scalar(value: CelValue): string | null {
  if (typeof value !== 'object') return String(value);
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return decoded(value);
  if (isCelUint(value)) return value.value.toString();
  if (isCelType(value)) return value.name;
  return messageText(value);
}

function decoded(bytes: Uint8Array): string {
  const text = callLibrary('string', bytes);
  if (typeof text === 'string') return text;
  throw new Error('%s takes bytes in UTF-8 only');
}
