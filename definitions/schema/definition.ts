/**
 * The schema of a definition document (`docs/language.md`, section 1).
 *
 * What it is: the form, field by field, from which `definition.schema.json` is generated. What it is not: the rules
 * between fields (`validation/`).
 *
 * Invariants:
 * 1. Its inferred type equals the hand-written `Definition` (`test/definitions/schema.test.ts`).
 * 2. It transforms nothing: a valid document is used as it was written.
 */
import { z } from 'zod';
import {
  actionDefaults,
  DEFINITION_ID,
  duration,
  jsonSchema,
  label,
  nodeId,
  template,
  templates,
  text,
} from './fields.ts';
import { nodes } from './nodes.ts';
import { trigger } from './triggers.ts';

export const definition = z.strictObject({
  $schema: text.exactOptional(),
  id: z.string().regex(DEFINITION_ID),
  name: text.exactOptional(),
  description: text.exactOptional(),
  tags: z.array(label).exactOptional(),
  enabled: z.boolean().exactOptional(),
  trigger: z.union([trigger, z.array(trigger)]).exactOptional(),
  input: jsonSchema.exactOptional(),
  output: template.exactOptional(),
  vars: templates.exactOptional(),
  entity: z.strictObject({ type: template, id: template }).exactOptional(),
  key: z.strictObject({ value: template, onConflict: z.enum(['reject', 'join', 'queue', 'replace']) }).exactOptional(),
  nodes,
  start: nodeId.exactOptional(),
  defaults: z.strictObject(actionDefaults).exactOptional(),
  timeout: duration.exactOptional(),
  onFailure: z.enum(['close', 'hold']).exactOptional(),
  redact: z.array(label).exactOptional(),
});
