/**
 * Checks the form of a document against the schema and puts what zod finds into words of the language.
 *
 * Invariants:
 * 1. `$schema` and fields that begin with `x-` are ignored at every level of the language (not inside templates and
 *    maps, whose keys are data).
 * 2. Keys named `__proto__`, which zod passes over, are judged like any other.
 * 3. A union tells only the faults of the alternative that was most likely meant.
 */
import { excerpt } from '../excerpt.ts';
import type { IssueList } from '../issue.ts';
import { isList, isObject } from '../json/json-kinds.ts';
import { type Keys, valueAt } from '../json/path.ts';
import type { Json } from '../types.ts';
import { definition } from './definition.ts';
import { type Fault, fieldHint, kindWord, nameOf, typeWord, wordOf } from './wording.ts';

/** Adds one issue per fault of form to `issues`. */
export function checkStructure(document: Json, issues: IssueList): void {
  const result = definition.safeParse(withVisibleKeys(document));
  if (result.success) return;
  for (const { fault, keys } of spread(result.error.issues, [])) report(fault, keys, { document, issues });
}

const HIDDEN = '__proto__';
/** Stands for it while zod looks. No document has such a key: U+0000 is refused at the doors. */
const VISIBLE = '__proto__\u0000';

function asWritten<T extends string | number>(key: T): T | typeof HIDDEN {
  return key === VISIBLE ? HIDDEN : key;
}

/** The document itself where it has no such key, which is nearly always. */
function withVisibleKeys(value: Json): Json {
  if (isList(value)) {
    const items = value.map(withVisibleKeys);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, withVisibleKeys(part)] as const);
  if (entries.every(([key, part]) => key !== HIDDEN && part === value[key])) return value;
  return Object.fromEntries(entries.map(([key, part]) => [key === HIDDEN ? VISIBLE : key, part]));
}

interface PlacedFault {
  readonly fault: Fault;
  readonly keys: Keys;
}

/** The faults with absolute keys: ignored fields left out, unions resolved. */
function spread(faults: readonly Fault[], base: Keys): PlacedFault[] {
  return faults.flatMap((fault) => {
    const keys = [...base, ...(fault.path as (string | number)[]).map(asWritten)];
    if (fault.code === 'unrecognized_keys') {
      return fault.keys.filter((key) => !isIgnored(key)).map((key) => ({ fault, keys: [...keys, asWritten(key)] }));
    }
    if (fault.code === 'invalid_union' && fault.errors.length > 0) return likeliest(fault.errors, keys);
    return [{ fault, keys }];
  });
}

function isIgnored(key: string): boolean {
  return key.startsWith('x-') || key === '$schema';
}

function likeliest(alternatives: readonly (readonly Fault[])[], keys: Keys): PlacedFault[] {
  let best: PlacedFault[] | null = null;
  for (const faults of alternatives) {
    const candidate = spread(faults, keys);
    if (candidate.length === 0) return [];
    if (best === null || distance(candidate, keys) < distance(best, keys)) best = candidate;
  }
  return best ?? [];
}

/** How far the value is from an alternative: another JSON type is furthest, then each fault counts. */
function distance(faults: readonly PlacedFault[], keys: Keys): number {
  return faults.reduce((sum, { fault, keys: at }) => {
    const other = at.length === keys.length && (fault.code === 'invalid_type' || fault.code === 'invalid_value');
    return sum + (other ? 1000 : 1);
  }, 0);
}

interface Target {
  readonly document: Json;
  readonly issues: IssueList;
}

function report(fault: Fault, keys: Keys, { document, issues }: Target): void {
  // The rule about names tells it.
  if (fault.code === 'invalid_key' && keys.at(-1) === HIDDEN) return;
  const name = nameOf(keys);
  switch (fault.code) {
    case 'unrecognized_keys':
      issues.add('definition.unknown_field', keys, `the language has no field ${name} here${fieldHint(keys)}`);
      return;
    case 'invalid_union':
      reportDiscriminator(fault, keys, { document, issues });
      return;
    case 'invalid_type':
    case 'invalid_value':
    case 'custom':
      if (isMissing(document, keys)) issues.add('definition.missing_field', keys, `the field ${name} is missing`);
      else if (fault.code === 'invalid_type') {
        issues.add(
          'definition.invalid_type',
          keys,
          `${name} must be ${typeWord(fault.expected)}, not ${kindWord(valueAt(document, keys))}`,
        );
      } else issues.add('definition.invalid_value', keys, `${name}: ${wordOf(fault)}`);
      return;
    case 'too_small':
      if (fault.origin === 'array' && keys.at(-1) === 'nodes') {
        issues.add('definition.no_nodes', keys, 'at least one node is needed');
        return;
      }
      issues.add('definition.invalid_value', keys, `${name}: ${wordOf(fault)}`);
      return;
    default:
      issues.add('definition.invalid_value', keys, `${name}: ${wordOf(fault)}`);
  }
}

/** Characters of a value that a message shows. */
const LONGEST_SHOWN = 80;

function reportDiscriminator(fault: Fault & { code: 'invalid_union' }, keys: Keys, { document, issues }: Target): void {
  const options = 'options' in fault && Array.isArray(fault.options) ? fault.options.join(', ') : '';
  if (isMissing(document, keys)) {
    issues.add('definition.missing_field', keys, `the field "type" is missing; node types are ${options}`);
    return;
  }
  const type = JSON.stringify(valueAt(document, keys));
  issues.add(
    'definition.unknown_node_type',
    keys,
    `the language has no node type ${excerpt(type, LONGEST_SHOWN)}; it has ${options}`,
  );
}

function isMissing(document: Json, keys: Keys): boolean {
  return keys.length > 0 && valueAt(document, keys) === undefined;
}
