import { describe, expect, it } from 'vitest';
import { validateJson } from '../../../definitions/json/json-schema.ts';
import { schemaFaults } from '../../../definitions/json/schema-faults.ts';
import type { Json, JsonSchema } from '../../../definitions/types.ts';

const paths = (schema: JsonSchema, value: Json) => validateJson(schema, value).map(({ path }) => path);

const order: JsonSchema = {
  type: 'object',
  required: ['id', 'lines'],
  properties: {
    id: { type: 'string', pattern: '^o-[0-9]+$' },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/line' } },
    paid: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
  },
  additionalProperties: false,
  $defs: {
    line: {
      type: 'object',
      required: ['sku'],
      properties: { sku: { type: 'string' }, n: { type: 'integer', minimum: 1 } },
    },
  },
};

describe('checking a value against a JSON Schema', () => {
  it('says nothing of a value that fits', () => {
    expect(validateJson(order, { id: 'o-7', lines: [{ sku: 'a', n: 2 }], paid: null })).toEqual([]);
    expect(validateJson(true, 7)).toEqual([]);
    expect(validateJson({}, null)).toEqual([]);
  });

  it('names every place that does not fit, innermost', () => {
    expect(paths(order, { id: 7, lines: [{ sku: 'a', n: 0 }, { n: 1.5 }], more: 1 }).sort()).toEqual([
      '/id',
      '/lines/0/n',
      '/lines/1',
      '/lines/1/n',
      '/more',
    ]);
    expect(validateJson(order, {}).map(({ message }) => message)).toEqual([
      'the field "id" is missing',
      'the field "lines" is missing',
    ]);
    expect(paths(false, 7)).toEqual(['']);
  });

  it('says of alternatives once that none fits', () => {
    expect(validateJson(order, { id: 'o-1', lines: [{ sku: 'a' }], paid: 'yes' })).toEqual([
      { path: '/paid', message: 'fits none of the alternatives' },
    ]);
  });

  it('names the pattern that a text does not match', () => {
    const [mismatch] = validateJson(order, { id: 'x', lines: [{ sku: 'a' }] });
    expect(mismatch).toEqual({ path: '/id', message: 'does not match the pattern "^o-[0-9]+$"' });
  });

  it('keeps a pattern apart from those of other schemas, and beside a format and an allOf', () => {
    const schema: JsonSchema = { type: 'string', pattern: 'a', format: 'email', allOf: [{ maxLength: 12 }] };
    expect(validateJson(schema, 'a@example.com')).toHaveLength(1);
    expect(validateJson(schema, 'a@ab.com')).toEqual([]);
    expect(validateJson(schema, 'b@xyz.org')).toHaveLength(1);
    expect(validateJson({ type: 'string', format: 'pattern:a' }, 'b')).toEqual([]);
  });

  it('takes linear time for a pattern that would hang a backtracking engine', () => {
    const text = `${'a'.repeat(30_000)}!`;
    expect(paths({ pattern: '^(a+)+$' }, text)).toEqual(['']);
  }, 2000);

  it('knows own keys only', () => {
    expect(paths({ required: ['constructor'] }, {})).toEqual(['']);
    expect(paths({ properties: { constructor: { type: 'string' } } }, {})).toEqual([]);
    const value = JSON.parse('{"__proto__": 1}') as Json;
    expect(paths({ additionalProperties: false }, value)).toEqual(['/__proto__']);
  });

  it('leaves the schema as it is', () => {
    const schema = structuredClone(order);
    validateJson(schema, {});
    expect(schema).toEqual(order);
    expect(() => validateJson(Object.freeze({ type: 'string' }) as JsonSchema, 1)).not.toThrow();
  });

  it('reads schemas inside keywords only, not names and data that look like them', () => {
    const schema: JsonSchema = {
      properties: { pattern: { type: 'string' }, $ref: { const: { $ref: 'https://example.com' } } },
      enum: [{ pattern: 'x', $ref: { $ref: 'https://example.com' } }],
    };
    expect(validateJson(schema, { pattern: 'x', $ref: { $ref: 'https://example.com' } })).toEqual([]);
  });
});

describe('a schema that cannot be used', () => {
  const faultAt = (schema: JsonSchema) => schemaFaults(schema).map(({ path }) => path);

  it('has a $ref that leads out of it, or nowhere', () => {
    expect(faultAt({ properties: { a: { $ref: 'https://example.com/a' } } })).toEqual(['/properties/a/$ref']);
    expect(faultAt({ $ref: '#/$defs/nobody' })).toEqual(['/$ref']);
    expect(faultAt({ $ref: '#/$defs/a~1b', $defs: { 'a/b': {} } })).toEqual([]);
  });

  it('has a pattern that the linear-time engine does not take', () => {
    expect(faultAt({ items: { pattern: '(?=a)b' } })).toEqual(['/items/pattern']);
    expect(faultAt({ patternProperties: { '(a+)+': {} } })).toEqual(['/patternProperties']);
    expect(faultAt({ patternProperties: { 'a*b*': {} } })).toEqual(['/patternProperties']);
    expect(faultAt({ patternProperties: { '^x-[a-z]+$': {} } })).toEqual([]);
  });

  it('fits nothing, and does not throw', () => {
    expect(validateJson({ $ref: 'https://example.com/a' }, 1)).toHaveLength(1);
    expect(validateJson({ $ref: '#' }, 1)).toHaveLength(1);
    expect(validateJson({ type: 7 as unknown as string, items: 'nonsense' }, [1])).not.toEqual([]);
  });

  it('may have a name of its own, but no parts with one', () => {
    const named: JsonSchema = {
      $id: 'https://example.com/a',
      $ref: '#/$defs/text',
      $defs: { text: { type: 'string' } },
    };
    expect(paths(named, 7)).toEqual(['']);
    expect(faultAt({ $defs: { text: { $id: 'https://example.com/b' } } })).toEqual(['/$defs/text/$id']);
  });

  it('may refer to itself where the value goes deeper', () => {
    const tree: JsonSchema = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } };
    expect(schemaFaults(tree)).toEqual([]);
    expect(paths(tree, { kids: [{ kids: [7] }] })).toEqual(['/kids/0/kids/0']);
  });

  it('has keywords of the wrong kind, or a type that JSON does not have', () => {
    expect(faultAt({ type: 'strng', required: 'a', enum: 5, properties: [] as unknown as Json })).toEqual([
      '/type',
      '/required',
      '/enum',
      '/properties',
    ]);
  });

  it('cannot hang the check by references that multiply', () => {
    const doubled = (next: string): JsonSchema => ({ anyOf: [{ $ref: next }, { $ref: next }] });
    const names = Array.from({ length: 40 }, (_, index) => [`d${index}`, doubled(`#/$defs/d${index + 1}`)] as const);
    const bomb: JsonSchema = { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(names), d40: { type: 'null' } } };
    expect(validateJson(bomb, 1)).toHaveLength(1);
    const list = Array.from({ length: 6000 }, (_, index) => index);
    expect(validateJson({ uniqueItems: true }, list)).toHaveLength(1);
  }, 2000);
});
