/**
 * The JSON Schema of definitions for editors: `definitions/definition.schema.json`, generated from the zod schemas.
 */
import { z } from 'zod';
import type { JsonObject } from '../types.ts';
import { definition } from './definition.ts';

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
    ...(schema as JsonObject),
  };
}
