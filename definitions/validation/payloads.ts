/**
 * Rule about payloads against the input schema of the handler, where it is known: whatever is written plainly must fit, its
 * fields too, beside values that are computed later.
 *
 * A value with `${ … }` or a secret is unknown, so nothing is said that may depend on it. The worker checks the whole
 * payload at every attempt.
 */
import { compileTemplate, ExpressionSyntaxError, splitTemplate } from '../expressions/index.ts';
import { type CommandName, resolveHandler } from '../handler-catalog.ts';
import { isList, isObject } from '../json/json-kinds.ts';
import { type KeywordMismatch, mismatchesOf } from '../json/json-schema.ts';
import { fromPointer, type Keys, toPointer } from '../json/path.ts';
import { schemaFaults } from '../json/schema-faults.ts';
import { setOwn } from '../json/set-own.ts';
import { SECRET_KEY } from '../secret-references.ts';
import type { Json, JsonSchema, Template } from '../types.ts';
import type { Rule, ValidationContext } from './context.ts';

export const checkPayloads: Rule = (context) => {
  for (const { node, keys } of context.outline.nodes) {
    if (node?.type !== 'action') continue;
    const { config } = node;
    checkPayload(config, config.payload, { ...context, keys: [...keys, 'config', 'payload'] });
    if (typeof config.undo !== 'object') continue;
    checkPayload(config.undo, config.undo.payload, { ...context, keys: [...keys, 'config', 'undo', 'payload'] });
  }
};

function checkPayload(
  command: CommandName,
  payload: Template | undefined,
  { handlers, issues, keys }: ValidationContext & { readonly keys: Keys },
): void {
  const schema = handlers === null ? undefined : resolveHandler(handlers, command).entry?.inputSchema;
  if (schema === undefined || (isObject(schema) && !isUsable(schema))) return;
  const unknown: Unknown = { values: new Map(), around: new Set() };
  const known = knownPart(payload ?? {}, [], unknown);
  const told = mismatchesOf(schema, known).filter((mismatch) => isCertain(mismatch, unknown));
  for (const { path, message } of told.slice(0, MOST_TOLD)) {
    const at = fromPointer(path);
    const what = at.length === 0 ? 'the payload' : JSON.stringify(at.at(-1));
    const text = `${what}: ${message} (input of the handler of "${command.command}")`;
    issues.add('definition.payload_invalid', [...keys, ...at], text);
  }
}

/** Most mismatches told of one payload. */
const MOST_TOLD = 20;

const usable = new WeakMap<object, boolean>();

function isUsable(schema: JsonSchema & object): boolean {
  const known = usable.get(schema) ?? schemaFaults(schema).length === 0;
  usable.set(schema, known);
  return known;
}

interface Unknown {
  /** JSON pointer → what is known of a value that is not: that it is a text, or nothing. */
  readonly values: Map<string, 'text' | 'anything'>;
  /** Pointers of all that holds such a value. */
  readonly around: Set<string>;
}

/** The payload with stand-ins for what is computed later. */
function knownPart(value: Template, keys: Keys, unknown: Unknown): Json {
  if (typeof value === 'string') return knownText(value, keys, unknown);
  if (isList(value)) return value.map((item, index) => knownPart(item, [...keys, index], unknown));
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, SECRET_KEY)) return standIn('text', keys, unknown);
  const known: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) setOwn(known, key, knownPart(member, [...keys, key], unknown));
  return known;
}

function knownText(text: string, keys: Keys, unknown: Unknown): Json {
  if (!text.includes('${')) return text;
  try {
    const [first, ...others] = splitTemplate(text);
    if (others.length === 0 && first?.kind === 'literal') return first.text;
    compileTemplate(text);
    return standIn(others.length === 0 ? 'anything' : 'text', keys, unknown);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return standIn('anything', keys, unknown);
    throw error;
  }
}

function standIn(what: 'text' | 'anything', keys: Keys, unknown: Unknown): Json {
  unknown.values.set(toPointer(keys), what);
  for (let depth = keys.length - 1; depth >= 0; depth--) unknown.around.add(toPointer(keys.slice(0, depth)));
  return what === 'text' ? '' : null;
}

/** Keywords that hold or not whatever the values inside are. */
const BY_KEYS = new Set([
  'type',
  'required',
  'dependentRequired',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'minItems',
  'maxItems',
]);
/** Parts of a schema that apply only if a value is as they ask. */
const CONDITIONAL = /\/(?:then|else|dependentSchemas|unevaluatedProperties|unevaluatedItems)(?:\/|$)/;

/** Whether a mismatch stays one whatever the unknown values turn out to be. */
function isCertain({ path, keyword, location }: KeywordMismatch, unknown: Unknown): boolean {
  if (unknown.values.size === 0) return true;
  if (keyword === '' || CONDITIONAL.test(location)) return false;
  const own = unknown.values.get(path);
  if (own !== undefined) return keyword === 'false' || (own === 'text' && keyword === 'type');
  return BY_KEYS.has(keyword) || keyword === 'false' || !unknown.around.has(path);
}
