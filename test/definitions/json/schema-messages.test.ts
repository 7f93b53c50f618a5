import { expect, test } from 'vitest';
import { validateJson } from '../../../definitions/json/json-schema.ts';
import type { Json, JsonSchema } from '../../../definitions/types.ts';

test.each<[JsonSchema, Json, string]>([
  [{ type: ['string', 'null'] }, 5, 'must be a text or null, not a number'],
  [{ type: 'integer' }, 1.5, 'must be a whole number'],
  [{ type: 'boolean' }, [], 'must be true or false, not a list'],
  [{ required: ['a'] }, {}, 'the field "a" is missing'],
  [{ const: { a: 1 } }, 5, 'must be {"a":1}'],
  [{ enum: ['a', 'b'] }, 'c', 'must be one of "a","b"'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 3, 'fits none of the alternatives'],
  [{ oneOf: [{ type: 'string' }] }, 3, 'fits none of the alternatives'],
  [{ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 3, 'must fit exactly one of the alternatives, and fits 2'],
  [{ not: {} }, 1, 'is excluded by the schema'],
  [{ additionalProperties: false }, { a: 1 }, 'is not allowed here'],
  [{ additionalProperties: { type: 'string' } }, { a: 1 }, 'must be a text, not a number'],
  [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'the field name "ab" is not allowed'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'the field "b" is missing, which "a" needs'],
  [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, 'the field "b" is missing'],
  [{ if: { const: 1 }, then: { minimum: 2 } }, 1, 'must be at least 2'],
  [{ minProperties: 1 }, {}, 'must have at least 1 field'],
  [{ maxProperties: 2 }, { a: 1, b: 2, c: 3 }, 'must have at most 2 fields'],
  [{ minItems: 2 }, [1], 'must have at least 2 items'],
  [{ maxItems: 1 }, [1, 2], 'must have at most 1 item'],
  [{ uniqueItems: true }, [1, 2, 1], 'the items 0 and 2 are equal'],
  [{ contains: { type: 'string' } }, [1], 'no item is as the schema asks for'],
  [{ contains: { type: 'number' }, minContains: 3 }, [1, 2, 'x'], 'must have at least 3 items as the schema asks for'],
  [{ contains: { type: 'number' }, maxContains: 1 }, [1, 2], 'must have at most 1 item as the schema asks for'],
  [{ minLength: 3 }, 'a', 'must have at least 3 characters'],
  [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
  [{ pattern: '^a' }, 'b', 'does not match the pattern "^a"'],
  [{ format: 'email' }, 'b', 'is no text of the format "email"'],
  [{ minimum: 2 }, 1, 'must be at least 2'],
  [{ maximum: 2 }, 3, 'must be at most 2'],
  [{ exclusiveMinimum: 2 }, 2, 'must be greater than 2'],
  [{ exclusiveMaximum: 2 }, 2, 'must be less than 2'],
  [{ multipleOf: 2 }, 3, 'must be a multiple of 2'],
  [false, 1, 'nothing is allowed here'],
])('%j refuses %j: %s', (schema, value, message) => {
  expect(validateJson(schema, value).map((mismatch) => mismatch.message)).toEqual([message]);
});
