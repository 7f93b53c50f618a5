import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { validateJson } from '../../definitions/json/json-schema.ts';
import { schemaFaults } from '../../definitions/json/schema-faults.ts';
import type { definition } from '../../definitions/schema/definition.ts';
import { editorSchema } from '../../definitions/schema/editor-schema.ts';
import type { Branch, Definition, Json, JsonSchema, Node } from '../../definitions/types.ts';
import { ARTICLE, EVERYTHING } from './documents.ts';

/**
 * A type in a form in which two can be compared: no `readonly`, whether a field is optional beside its type, JSON by
 * name. Lists of nodes inside nodes are by name too, since the compiler cannot unfold both forever.
 */
type Form<T> = Json extends T
  ? 'json'
  : JsonSchema extends T
    ? 'schema'
    : T extends readonly (infer Item)[]
      ? Form<Item>[]
      : T extends object
        ? {
            -readonly [Key in keyof T]-?: [
              object extends Pick<T, Key> ? 'optional' : 'required',
              Key extends 'nodes' | 'branches' ? Key : Form<T[Key]>,
            ];
          }
        : T;

type Inferred = z.infer<typeof definition>;
type InferredNode = Inferred['nodes'][number];
type BranchOf<N extends { type: string }> =
  Extract<N, { type: 'parallel' }> extends {
    config: { readonly branches: readonly (infer B)[] };
  }
    ? B
    : never;

describe('the schema of definitions', () => {
  test('infers the hand-written types, field by field', () => {
    expectTypeOf<Form<Inferred>>().toEqualTypeOf<Form<Definition>>();
    expectTypeOf<Form<InferredNode>>().toEqualTypeOf<Form<Node>>();
    expectTypeOf<Form<BranchOf<InferredNode>>>().toEqualTypeOf<Form<Branch>>();
  });

  test('is the JSON Schema file that is committed (npm run generate)', () => {
    const file = new URL('../../definitions/definition.schema.json', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(editorSchema(), null, 2)}\n`);
  });

  test('as JSON Schema takes what the language takes, ignored fields too', () => {
    expect(schemaFaults(editorSchema())).toEqual([]);
    const noted = { ...EVERYTHING, 'x-team': 1, $schema: 'definition.schema.json' } as unknown as Json;
    for (const document of [ARTICLE, EVERYTHING] as unknown as Json[]) {
      expect(validateJson(editorSchema(), document)).toEqual([]);
    }
    expect(validateJson(editorSchema(), noted)).toEqual([]);
  });

  test('as JSON Schema refuses what it does not know', () => {
    expect(validateJson(editorSchema(), { ...(ARTICLE as object), strat: 'a' }).map(({ path }) => path)).toEqual([
      '/strat',
    ]);
  });
});
