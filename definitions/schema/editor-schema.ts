/**
 * The JSON Schema of definitions for editors: `definitions/definition.schema.json`, generated from the zod schemas.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../types.ts';
import { definition } from './definition.ts';
import { FIELD_NOTES, type FieldNote } from './field-notes.ts';

/** The document as it is committed. */
export function editorSchema(): JsonObject {
  const schema = z.toJSONSchema(definition, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
    override: ({ jsonSchema }) => {
      // The language ignores these fields at every level where it refuses others.
      if (jsonSchema.additionalProperties !== false) return;
      jsonSchema.properties = { $schema: { type: 'string' }, ...jsonSchema.properties };
      jsonSchema.patternProperties = { '^x-': {} };
    },
  });
  return {
    title: 'Fermata definition, language version 1',
    ...(withHints(schema as JsonObject) as JsonObject),
  };
}

/** Says at each field of a node's `config` what it means. */
function withHints(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withHints);
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withHints(one)]));
  const notes = notesFor((inner['properties'] as { type?: { const?: string } } | undefined)?.type?.const);
  if (notes === undefined) return inner;
  const properties = inner['properties'] as { readonly config: { readonly properties: Record<string, JsonObject> } };
  for (const [field, { means }] of Object.entries(notes)) {
    const of = properties.config.properties;
    of[field] = { ...of[field], description: means };
  }
  return inner;
}

function notesFor(type: string | undefined): { readonly [field: string]: FieldNote } | undefined {
  return type !== undefined && Object.hasOwn(FIELD_NOTES, type)
    ? FIELD_NOTES[type as keyof typeof FIELD_NOTES]
    : undefined;
}
