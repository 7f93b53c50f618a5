/**
 * The leaves of the definition schemas: identifiers, durations, templates, expressions.
 *
 * What it is: the form of single fields. What it is not: their meaning; whether an expression parses or a node exists
 * is checked by `validation/`.
 */
import { z } from 'zod';
import { utf8Length } from '../json/size.ts';
import type { Json, JsonSchema } from '../types.ts';

export const DEFINITION_ID = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const NODE_ID = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Type of an event or command: what CloudEvents and Temporal both carry without escaping. */
const TYPE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,254}$/;
const ERROR_TYPE = /^[A-Z][A-Z0-9_]{0,99}$/;

export const text = z.string();
export const label = z.string().min(1).max(1000);
/** A name that Temporal is given as it is: one that it refuses would fail the run's task for ever. */
export const temporalName = label.refine((name) => utf8Length(name) <= 1000, 'must have at most 1000 bytes');
export const taskQueue = temporalName.refine(
  (name) => !name.startsWith('/_sys/'),
  'must not begin with "/_sys/", which Temporal keeps for itself',
);
export const nodeId = z.string().regex(NODE_ID);
export const typeName = z.string().regex(TYPE_NAME);
export const errorType = z.string().regex(ERROR_TYPE);
export const priority = z.int().min(1).max(5).meta({ description: '1 is the most urgent, 5 the least.' });

/** Any JSON; that it is JSON was checked at the door. */
export const template = z
  .custom<Json>((value) => value !== undefined, 'a value is missing')
  .meta({ description: 'Any JSON; strings may hold ${ … } with CEL inside.' });

export const expression = z.string().min(1).meta({ description: 'A CEL expression, without ${ }.', format: 'cel' });

export const duration = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'A stretch of time: "500ms", "2h", "1d12h" or ISO 8601 "PT2H".' });

export const jsonSchema = z
  .custom<JsonSchema>(
    (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
    'a JSON Schema is an object, true or false',
  )
  .meta({ description: 'A JSON Schema (2020-12).' });

export const templates = z.record(z.string().regex(NODE_ID), template);

export const retry = z.strictObject({
  maxAttempts: z.int().min(1).max(1_000_000).exactOptional(),
  initialInterval: duration.exactOptional(),
  backoffCoefficient: z.number().min(1).max(1000).exactOptional(),
  maxInterval: duration.exactOptional(),
  jitter: z.number().min(0).max(1).exactOptional(),
  nonRetryable: z.array(errorType).exactOptional(),
});

export const actionDefaults = {
  retry: retry.exactOptional(),
  timeout: duration.exactOptional(),
  deadline: duration.exactOptional(),
  taskQueue: taskQueue.exactOptional(),
  priority: priority.exactOptional(),
};
