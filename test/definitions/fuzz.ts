/**
 * Malformed and hostile definition documents, made from valid ones (check 21 of the reliability contract).
 *
 * The suite asks for 2,000, `npm run soak` for more: nothing may crash or hang, each refusal names a path, and what is
 * accepted must run in the simulator without a fault of the engine.
 */
import { checkDefinition } from '../../definitions/check-definition.ts';
import { isFermataError } from '../../definitions/fermata-error.ts';
import type { Issue } from '../../definitions/issue.ts';
import { parseDefinition } from '../../definitions/parse-definition.ts';
import type { Definition, Json, JsonObject } from '../../definitions/types.ts';
import { unsupportedIssues } from '../../definitions/validation/unsupported.ts';
import { simulate } from '../../testing/simulate.ts';
import { ARTICLE, EVERYTHING } from './documents.ts';
import { Random } from './random.ts';

export interface FuzzReport {
  readonly checked: number;
  readonly accepted: number;
  readonly refused: number;
  /** Accepted ones that were walked to an end or a wait. */
  readonly walked: number;
  /** Longest check, in ms of CPU. */
  readonly slowestMs: number;
}

/** Checks `count` documents; the same `seed` makes the same ones. @throws Error naming the document that broke a promise */
export async function fuzzDefinitions(count: number, seed = 1): Promise<FuzzReport> {
  const random = new Random(seed);
  const report = { checked: 0, accepted: 0, refused: 0, walked: 0, slowestMs: 0 };
  while (report.checked < count) {
    const sample = makeSample(random);
    try {
      const { definition, ms } = checkSample(sample);
      report.slowestMs = Math.max(report.slowestMs, ms);
      if (definition === null) report.refused++;
      else report.accepted++;
      if (definition !== null && (await walks(definition))) report.walked++;
    } catch (error) {
      throw new Error(`seed ${seed}, document ${report.checked}: ${shown(sample)}`, { cause: error });
    }
    report.checked++;
  }
  return report;
}

/** A text or a value. */
type Sample = { readonly text: string; readonly file: string } | { readonly value: unknown };

function checkSample(sample: Sample): { definition: Definition | null; ms: number } {
  const before = process.cpuUsage();
  const { definition, issues } =
    'text' in sample ? parseDefinition(sample.text, { file: sample.file }) : checkDefinition(sample.value);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  if (ms > 1000) throw new Error(`the check took ${ms} ms`);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if ((definition === null) !== errors.length > 0) throw new Error('refused without an error, or accepted with one');
  for (const issue of issues) checkIssue(issue, 'text' in sample);
  return { definition, ms };
}

function checkIssue(issue: Issue, isText: boolean): void {
  const placed =
    issue.code === 'definition.too_large' || (issue.line !== null && issue.line > 0 && issue.column !== null);
  if (!/^(?:\/.*)?$/s.test(issue.path) || issue.message === '' || (isText && !placed)) {
    throw new Error(`an issue without its place: ${JSON.stringify(issue)}`);
  }
}

const EVENT = { id: 'e-1', type: 'lead.created', source: 'fuzz', time: '2027-01-01T00:00:00Z' };
const DATA = { id: 'L-1', source: 'Facebook', email: 'a@example.com', phone: '1', name: 'Ann', company: { size: 60 } };
/** What a start may be refused with; anything else is a fault of the engine. */
const REFUSALS = new Set(['event.not_matched', 'event.invalid', 'run.input_invalid']);

async function walks(definition: Definition): Promise<boolean> {
  const isLong = JSON.stringify(definition).match(/"maxVisits":(\d{4,}|\d+e)/) !== null;
  if (isLong || unsupportedIssues(definition).length > 0) return false;
  try {
    const run = await simulate(definition, { event: { ...EVENT, data: DATA } });
    return run.trace.length > 0;
  } catch (error) {
    if (isFermataError(error) && REFUSALS.has(error.code)) return false;
    throw error;
  }
}

function makeSample(random: Random): Sample {
  const value = mutated(structuredClone(random.pick(BASES)) as Json, random);
  const form = random.below(10);
  if (form === 0) return { value };
  if (form === 1) return { value: withForeignParts(value, random) };
  const text = JSON.stringify(value, null, random.pick([0, 2]));
  const file = random.pick(['a.json', 'a.yaml']);
  return { text: form < 7 ? text : brokenText(text, random), file };
}

const BASES: readonly unknown[] = [
  ARTICLE,
  EVERYTHING,
  { id: 'small', nodes: [{ id: 'a', type: 'end' }] },
  {
    id: 'loop',
    vars: { n: 0 },
    nodes: [
      { id: 'ask', type: 'condition', config: { expression: 'vars.n < 3' }, nextNodeId: 'add', fallbackNodeId: 'pick' },
      { id: 'add', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'wait' },
      { id: 'wait', type: 'delay', config: { duration: '1h' }, nextNodeId: 'ask' },
      {
        id: 'pick',
        type: 'switch',
        config: { cases: [{ when: 'vars.n == 3', nextNodeId: 'ok' }], defaultNodeId: 'ok' },
      },
      { id: 'ok', type: 'approval', config: { timeout: '1d' }, transitions: { timeout: 'end' }, nextNodeId: 'end' },
      { id: 'end', type: 'end', config: { output: '${vars}' } },
    ],
  },
];

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'a.b',
  'x-note',
  '$schema',
  '名前',
  'nodes',
  'config',
  'id',
  'type',
  '$ref',
  'hasOwnProperty',
];
const HOSTILE: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53 - 1,
  '',
  ' ',
  'x'.repeat(5000),
  '${',
  '${}',
  '${1 +}',
  '$${',
  '${event.data.x.y.z}',
  '${nodes.a.output}',
  '${[1].map(i, i)}',
  '((((((((((',
  `${'('.repeat(60)}1${')'.repeat(60)}`,
  '"a".matches("(a+)+$")',
  'PT',
  'P1M',
  '1h1h',
  '2027-13-45',
  '__proto__',
  'constructor',
  'a',
  'end',
  'parallel',
  'forEach',
  'scope',
  'action',
  'approval',
  [],
  {},
  [[[[[[]]]]]],
  [null],
  [1, 'a'],
  { $ref: '#' },
  { $ref: 'https://example.com' },
  { pattern: '(a+)+$' },
  { $secret: 'x' },
  { a: { b: { c: {} } } },
  { count: 99 },
  '\u2028',
  '😀',
  '${"\\u0000"}',
  '${now}',
  'error.type',
];

/** Changes one to six places. */
function mutated(value: Json, random: Random): Json {
  let result = value;
  for (let left = random.pick([1, 1, 1, 2, 3, 6]); left > 0; left--) result = changed(result, random);
  return result;
}

function changed(value: Json, random: Random): Json {
  const isHolder = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  // Goes deeper most of the time, so that deep places are met as often as the top.
  if (!isHolder || random.below(8) === 0) return random.below(3) === 0 ? nested(value, random) : random.pick(HOSTILE);
  return Array.isArray(value) ? changedList(value, random) : changedObject(value as JsonObject, random);
}

function changedList(list: readonly Json[], random: Random): Json {
  const at = random.below(list.length);
  const item = list[at] ?? null;
  switch (random.below(8)) {
    case 0:
      return list.filter((_, index) => index !== at);
    case 1:
      return [...list, item];
    case 2:
      return list.toReversed();
    default:
      return list.map((other, index) => (index === at ? changed(other, random) : other));
  }
}

function changedObject(object: JsonObject, random: Random): Json {
  const entries = Object.entries(object);
  const at = random.below(entries.length);
  const [key, value] = entries[at] as [string, Json];
  switch (random.below(12)) {
    case 0:
      return fromEntries(entries.filter((_, index) => index !== at));
    case 1:
      return fromEntries([...entries, [random.pick(NAMES), random.pick(HOSTILE)]]);
    case 2:
      return fromEntries(entries.map((entry, index) => (index === at ? [random.pick(NAMES), value] : entry)));
    case 3:
      return fromEntries([...entries, [`${key}x`, value]]);
    default:
      return fromEntries(entries.map((entry, index) => (index === at ? [key, changed(value, random)] : entry)));
  }
}

/** Object.fromEntries defines own properties, `__proto__` too. */
function fromEntries(entries: readonly (readonly [string, Json])[]): Json {
  return Object.fromEntries(entries);
}

function nested(value: Json, random: Random): Json {
  let result = value;
  for (let depth = random.pick([1, 2, 30, 40]); depth > 0; depth--) {
    result = random.below(2) === 0 ? [result] : { [random.pick(NAMES)]: result };
  }
  return result;
}

/** What a program might hand over by mistake. */
function withForeignParts(value: Json, random: Random): unknown {
  const circle: Record<string, unknown> = { id: 'a' };
  circle['self'] = circle;
  const foreign = random.pick<unknown>([
    undefined,
    () => 1,
    5n,
    new Date(0),
    new Map(),
    Symbol('s'),
    circle,
    Number.NaN,
    [undefined, 1],
  ]);
  return random.below(2) === 0
    ? foreign
    : { ...(value as object), [random.pick(['nodes', 'vars', 'input', 'x'])]: foreign };
}

const NOISE = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\n',
  '- ',
  '&a ',
  '*a ',
  '!!x ',
  '? ',
  '|',
  '>',
  '%',
  '\t',
  '\u0000',
  '\ud800',
  '9'.repeat(30),
  '#',
  '<<: ',
  '---\n',
  "'",
];

function brokenText(text: string, random: Random): string {
  let result = text;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(result.length + 1);
    const cut = random.below(3) === 0 ? random.below(40) : 0;
    const noise = random.below(4) === 0 ? '' : random.pick(NOISE).repeat(random.pick([1, 1, 1, 300]));
    result = result.slice(0, at) + noise + result.slice(at + cut);
  }
  return random.below(6) === 0 ? result.slice(0, random.below(result.length + 1)) : result;
}

function shown(sample: Sample): string {
  return 'text' in sample
    ? `${sample.file} ${JSON.stringify(sample.text)}`
    : `value ${JSON.stringify(sample.value, null, 0)}`;
}
