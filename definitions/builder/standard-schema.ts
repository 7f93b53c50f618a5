/**
 * Schemas of zod and others, known by their shape alone: the Standard Schema (https://standardschema.dev).
 */
import type { JsonSchema } from '../types.ts';

export interface StandardSchema {
  readonly '~standard': {
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly jsonSchema?: { input(options: { readonly target: 'draft-2020-12' }): Record<string, unknown> };
  };
}

/** What a value must be to pass the schema. */
export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];

/** What the schema makes of it. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** The JSON Schema of a schema; one that is JSON already stays. */
export function jsonSchemaOf(schema: StandardSchema | JsonSchema): JsonSchema {
  if (!isStandard(schema)) return schema;
  const converter = schema['~standard'].jsonSchema;
  if (converter === undefined) throw new TypeError('this schema cannot tell its JSON Schema; give that instead');
  const { $schema: _, ...json } = converter.input({ target: 'draft-2020-12' });
  return json as JsonSchema;
}

function isStandard(schema: StandardSchema | JsonSchema): schema is StandardSchema {
  return typeof schema === 'object' && '~standard' in schema;
}
