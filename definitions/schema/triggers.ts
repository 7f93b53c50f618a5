/**
 * Schemas of triggers and their filters (`docs/language.md`, section 3).
 */
import { z } from 'zod';
import { duration, expression, label, template, typeName } from './fields.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const ordered = z.union([z.number(), z.string()]);

const filterOperators = z.strictObject({
  eq: scalar.exactOptional(),
  ne: scalar.exactOptional(),
  gt: ordered.exactOptional(),
  gte: ordered.exactOptional(),
  lt: ordered.exactOptional(),
  lte: ordered.exactOptional(),
  in: z.array(scalar).exactOptional(),
  notIn: z.array(scalar).exactOptional(),
  exists: z.boolean().exactOptional(),
  prefix: z.string().exactOptional(),
  suffix: z.string().exactOptional(),
  contains: scalar.exactOptional(),
});

const filters = z
  .record(z.string(), z.union([scalar, z.array(scalar), filterOperators]))
  .meta({ description: 'Paths relative to event.data; all must hold.' });

const eventTrigger = z.strictObject({
  event: typeName,
  filters: filters.exactOptional(),
  filter: expression.exactOptional(),
  input: template.exactOptional(),
});

const scheduleTrigger = z.strictObject({
  schedule: z.strictObject({
    cron: label.exactOptional(),
    every: duration.exactOptional(),
    timeZone: label.exactOptional(),
    overlap: z.enum(['skip', 'bufferOne', 'bufferAll', 'cancelOther', 'terminateOther', 'allowAll']).exactOptional(),
    catchUp: duration.exactOptional(),
    jitter: duration.exactOptional(),
  }),
  input: template.exactOptional(),
});

const webhookTrigger = z.strictObject({
  webhook: z.strictObject({ path: z.string().regex(/^\/[A-Za-z0-9._~/-]{0,199}$/), secret: label.exactOptional() }),
  event: typeName,
  filters: filters.exactOptional(),
  filter: expression.exactOptional(),
  input: template.exactOptional(),
});

export const trigger = z.union([eventTrigger, scheduleTrigger, webhookTrigger]);
