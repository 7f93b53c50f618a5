/** No expression or template of a node goes unchecked: what the schemas call one is in the table of sites. */
import { allNodes, type JsonObject } from 'fermata/definitions';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { expression, template } from '../../definitions/schema/fields.ts';
import { node, nodes } from '../../definitions/schema/nodes.ts';
import { outlineOf } from '../../definitions/validation/outline.ts';
import { sitesOf } from '../../definitions/validation/sites.ts';
import { EVERYTHING } from './documents.ts';

const types = node.options.map(({ shape }) => shape.type.value);
const shown = allNodes(EVERYTHING.nodes);
const known = new Set(sitesOf(outlineOf(EVERYTHING as unknown as JsonObject, () => true)).map(({ value }) => value));

/** The values in `value` that its schema calls expressions or templates. */
function meant(schema: unknown, value: unknown): unknown[] {
  if (value === undefined || schema === nodes) return [];
  if (schema === expression || schema === template) return [value];
  if (schema instanceof z.ZodExactOptional) return meant(schema.unwrap(), value);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => (fits(option, value) ? meant(option, value) : []));
  if (schema instanceof z.ZodArray) return (value as unknown[]).flatMap((one) => meant(schema.element, one));
  if (schema instanceof z.ZodRecord)
    return Object.values(value as object).flatMap((one) => meant(schema.valueType, one));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([field, one]) => meant(one, (value as Record<string, unknown>)[field]));
}

function fits(schema: unknown, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}

test('the document that has every field has every node type', () => {
  expect(types.filter((type) => !shown.some((one) => one.type === type))).toEqual([]);
});

describe('all expressions and templates are checked', () => {
  it.each(types)('of %s', (type) => {
    const option = node.options.find(({ shape }) => shape.type.value === type);
    const values = shown
      .filter((one) => one.type === type)
      .flatMap(({ config }) => meant(option?.shape.config, config));
    expect(values.filter((value) => !known.has(value as never))).toEqual([]);
  });
});
