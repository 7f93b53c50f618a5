/**
 * Arguments of the client's doors, checked before anything is asked: what PostgreSQL or Temporal would refuse in words
 * of their own, or take for something else, is refused here with the name of the door, the argument and what it was.
 *
 * What it is not: the form of events (`read-event.ts`), of decisions (`decision.ts`), or of settings (`settings.ts`).
 */
import { excerpt } from '../definitions/excerpt.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import { utf8Length } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { RunState } from '../definitions/types.ts';

export interface Rule {
  /** Completes "it must be …". */
  readonly form: string;
  readonly fits: (value: unknown) => boolean;
}

/** A rule for each field; a field without one is refused as unknown. */
export type Rules<Fields> = { readonly [Field in keyof Required<Fields>]: Rule };

/** PostgreSQL keeps no U+0000. */
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\u0000');
const isId = (value: unknown): boolean => isText(value) && value !== '';
const isWhole = (value: unknown, most: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;

export const text: Rule = { form: 'a text without U+0000', fits: isText };
export const id: Rule = { form: 'a text that is not empty, without U+0000', fits: isId };
export const ids: Rule = {
  form: 'such a text or a list of them, none empty, without U+0000',
  fits: (value) => (Array.isArray(value) ? value.every(isId) : isId(value)),
};
/** An id that reaches Temporal. */
export const shortId: Rule = {
  form: `a text of 1 to ${LIMITS.idBytes} bytes, without U+0000`,
  fits: (value) => isId(value) && utf8Length(value as string) <= LIMITS.idBytes,
};
/** Versions and the like; the largest is that of PostgreSQL's `integer`. */
export const wholeNumber: Rule = { form: 'a whole number from 1', fits: (value) => isWhole(value, 2 ** 31 - 1) };
export const milliseconds: Rule = {
  form: 'a number of milliseconds from 0',
  fits: (value) => typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
};
export const flag: Rule = { form: 'true or false', fits: (value) => typeof value === 'boolean' };
/** Looked at where it is read. */
export const anything: Rule = { form: 'anything', fits: () => true };

export function oneOf(choices: readonly string[]): Rule {
  return { form: `one of ${choices.join(', ')}`, fits: (value) => choices.includes(value as string) };
}

export function eitherOf(one: Rule, other: Rule): Rule {
  return { form: `${one.form}, or ${other.form}`, fits: (value) => one.fits(value) || other.fits(value) };
}

const RUN_STATES = {
  pending: true,
  running: true,
  paused: true,
  completed: true,
  failed: true,
  cancelled: true,
} as const satisfies Record<RunState, true>;
export const runState = oneOf(Object.keys(RUN_STATES));

/** An object with such fields. */
export function fields<Fields extends object>(rules: Rules<Fields>, required: readonly (keyof Fields)[] = []): Rule {
  const names = Object.keys(rules);
  const shown = names.map((name) => (required.includes(name as keyof Fields) ? name : `${name}?`)).join(', ');
  return {
    form: `an object { ${shown} }`,
    fits: (value) =>
      isObject(value) &&
      required.every((name) => value[name as string] !== undefined) &&
      Object.keys(value).every((name) => names.includes(name)) &&
      names.every((name) => value[name] === undefined || ruleOf(rules, name).fits(value[name])),
  };
}

/** @param door how messages call it, such as `runs.list` @throws FermataError `usage.invalid` */
export function checkOptions<Options extends object>(door: string, options: Options, rules: Rules<Options>): void {
  if (!isObject(options)) throw refusal({ door, field: 'options' }, `is ${shown(options)}; it must be an object`);
  for (const [field, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, field)) {
      throw refusal({ door, field: excerpt(field, 80) }, `is unknown; there are ${Object.keys(rules).join(', ')}`);
    }
    if (value !== undefined) checkArgument(`${door}.${field}`, value, ruleOf(rules, field));
  }
}

/** @param name of door and argument: `runs.get.runId` @throws FermataError `usage.invalid` */
export function checkArgument(name: string, value: unknown, { fits, form }: Rule): void {
  if (fits(value)) return;
  const dot = name.lastIndexOf('.');
  const place = { door: name.slice(0, dot), field: name.slice(dot + 1), value: shown(value) };
  throw refusal(place, `is ${place.value}; it must be ${form}`);
}

function ruleOf<Fields>(rules: Rules<Fields>, name: string): Rule {
  return rules[name as keyof Fields];
}

function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(
  place: { readonly door: string; readonly field: string; readonly value?: string },
  what: string,
): FermataError {
  return new FermataError('usage.invalid', `${place.door}: ${place.field} ${what}`, { ...place });
}

/** Texts as JSON, so that what cannot be seen is seen; of what is no plain value only the kind. */
function shown(value: unknown): string {
  if (typeof value === 'string') return excerpt(JSON.stringify(value), 80);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'bigint') return `the bigint ${value}`;
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
