/**
 * The conformance cases of google/cel-spec, put through our own door.
 *
 * Results come out as JSON, so what JSON cannot hold (bytes, types, large integers, NaN) is compared inside CEL instead.
 */
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { compileExpression, ExpressionSyntaxError, Meter, type Names } from '../../../definitions/expressions/index.ts';
import type { Json } from '../../../definitions/types.ts';

/** Suites about values that JSON has; the others are about Protocol Buffers and extensions that the language leaves out. */
export const CORE_SUITES = [
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'namespace',
  'parse',
  'plumbing',
  'string',
  'string_ext',
  'timestamps',
];

export interface ConformanceCase {
  /** `suite/section/name: expression`. */
  readonly title: string;
  readonly expr: string;
  readonly value: SpecValue | null;
  readonly names: Names;
}

export type Verdict = 'pass' | 'outside' | { readonly got: string };

/** A value as the test data write it: one key that names the kind. */
type SpecValue = Readonly<Record<string, unknown>>;
interface SpecTest {
  readonly original: {
    readonly name?: string;
    readonly expr: string;
    readonly value?: SpecValue;
    readonly evalError?: unknown;
    readonly bindings?: Readonly<Record<string, { readonly value?: SpecValue }>>;
    readonly disableMacros?: boolean;
    readonly checkOnly?: boolean;
    readonly container?: string;
  };
}
interface SpecSuite {
  readonly name: string;
  readonly suites?: readonly SpecSuite[];
  readonly tests?: readonly SpecTest[];
}

/** The cases of the core suites that speak of values JSON has. */
export function conformanceCases(): ConformanceCase[] {
  const suites = (tests as unknown as SpecSuite).suites ?? [];
  return suites.filter((suite) => CORE_SUITES.includes(suite.name)).flatMap((suite) => casesOf(suite, ''));
}

function casesOf(suite: SpecSuite, prefix: string): ConformanceCase[] {
  const path = `${prefix}${suite.name}/`;
  const own = (suite.tests ?? []).flatMap((test) => caseOf(test, path));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => casesOf(inner, path))];
}

function caseOf({ original }: SpecTest, path: string): ConformanceCase[] {
  const { expr, value, evalError, bindings } = original;
  const kind = value === undefined ? '' : Object.keys(value)[0];
  if (original.disableMacros === true || original.checkOnly === true || kind === 'objectValue' || kind === 'enumValue')
    return [];
  const names: Record<string, Json> = {};
  for (const [name, binding] of Object.entries(bindings ?? {})) {
    const json = binding.value === undefined ? undefined : jsonOf(binding.value);
    if (json === undefined || name.includes('.')) return [];
    names[name] = json;
  }
  // No value and no error written down means `true` in the test data.
  const expected = evalError === undefined ? (value ?? { boolValue: true }) : null;
  return [{ title: `${path}${original.name ?? ''}: ${expr}`, expr, value: expected, names }];
}

/** `undefined` where JSON has no such value. */
function jsonOf(value: SpecValue): Json | undefined {
  const [kind, held] = Object.entries(value)[0] ?? ['nullValue', null];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return held as boolean | string;
    case 'int64Value':
    case 'uint64Value':
      return Number.isSafeInteger(Number(held)) ? Number(held) : undefined;
    case 'doubleValue':
      return Number.isFinite(held) ? (held as number) : undefined;
    case 'listValue':
      return all(((held as { values?: SpecValue[] }).values ?? []).map(jsonOf));
    case 'mapValue':
      return mapOf((held as { entries?: { key: SpecValue; value: SpecValue }[] }).entries ?? []);
    default:
      return undefined;
  }
}

function all(items: (Json | undefined)[]): Json | undefined {
  return items.every((item) => item !== undefined) ? items : undefined;
}

function mapOf(entries: readonly { key: SpecValue; value: SpecValue }[]): Json | undefined {
  const map: Record<string, Json> = {};
  for (const entry of entries) {
    const value = jsonOf(entry.value);
    if (!('stringValue' in entry.key) || value === undefined) return undefined;
    map[String(entry.key['stringValue'])] = value;
  }
  return map;
}

/** A CEL literal for what JSON cannot hold. */
function literalOf(value: SpecValue): string {
  const [kind, held] = Object.entries(value)[0] ?? ['nullValue', null];
  switch (kind) {
    case 'int64Value':
      return String(held);
    case 'uint64Value':
      return `${String(held)}u`;
    case 'doubleValue':
      return `double('${String(held)}')`;
    case 'bytesValue':
      return `b'${[...Buffer.from(String(held), 'base64')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`;
    case 'typeValue':
      return String(held);
    case 'stringValue':
      return JSON.stringify(held);
    case 'boolValue':
      return String(held);
    case 'listValue':
      return `[${((held as { values?: SpecValue[] }).values ?? []).map(literalOf).join(',')}]`;
    case 'mapValue': {
      const { entries = [] } = held as { entries?: { key: SpecValue; value: SpecValue }[] };
      return `{${entries.map((entry) => `${literalOf(entry.key)}:${literalOf(entry.value)}`).join(',')}}`;
    }
    default:
      return 'null';
  }
}

/** Whether the case comes out as the specification says. `outside`: it needs types of Protocol Buffers. */
export function judge(test: ConformanceCase): Verdict {
  const { value } = test;
  const json = value === null ? undefined : jsonOf(value);
  const expr = value === null || json !== undefined ? test.expr : asTest(test.expr, value);
  let got: string;
  try {
    got = JSON.stringify(sorted(compileExpression(expr).evaluate(test.names, new Meter())));
  } catch (error) {
    if (error instanceof ExpressionSyntaxError && error.message.startsWith('unknown type')) return 'outside';
    if (value === null) return 'pass';
    return { got: error instanceof Error ? error.message : String(error) };
  }
  const wanted = value === null ? 'an error' : JSON.stringify(sorted(json === undefined ? true : json));
  return got === wanted ? 'pass' : { got };
}

function asTest(expr: string, value: SpecValue): string {
  if (value['doubleValue'] === 'NaN') return `(${expr}) != (${expr})`;
  return `(${expr}) == ${literalOf(value)}`;
}

/** `-0` and key order make no difference. */
function sorted(json: Json): Json {
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== 'object' || json === null) return json === 0 ? 0 : json;
  return Object.fromEntries(
    Object.entries(json)
      .map(([key, value]): [string, Json] => [key, sorted(value)])

      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
