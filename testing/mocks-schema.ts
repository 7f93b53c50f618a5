/**
 * The form of a mocks document ({@link Mocks}), and its reading into what the simulator works with:
 * durations become milliseconds, conditions compiled expressions.
 *
 * What it is not: a choice of answers; that is `mock-replies.ts`.
 *
 * Invariants:
 * 1. Unknown fields are refused at every level; every fault has the path of its place.
 */
import { z } from 'zod';
import { parseDuration } from '../definitions/duration.ts';
import { RunError } from '../definitions/errors.ts';
import { type CompiledExpression, compileExpression, ExpressionSyntaxError } from '../definitions/expressions/index.ts';
import type { Json } from '../definitions/types.ts';

/** Names that a reply's `when` may use. */
const WHEN_NAMES = ['payload', 'attempt', 'visit'];

const text = z.string().min(1);
/** The document was copied to plain JSON before. */
const json = z.unknown().transform((value) => value as Json);

const durationMs = z.string().transform((written, context): number => {
  try {
    return parseDuration(written);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

const condition = z.string().transform((written, context): CompiledExpression => {
  try {
    const compiled = compileExpression(written);
    for (const { path } of compiled.references) {
      const [name = ''] = path;
      if (WHEN_NAMES.includes(name)) continue;
      context.addIssue({ code: 'custom', message: `"${name}" is not known here; there are ${WHEN_NAMES.join(', ')}` });
    }
    return compiled;
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: `${error.message} (at character ${error.offset + 1})` });
    return z.NEVER;
  }
});

const reply = z
  .strictObject({
    when: condition.optional(),
    output: json.optional(),
    error: z
      .strictObject({
        type: text,
        message: z.string().optional(),
        retryable: z.boolean().optional(),
        details: json.optional(),
      })
      .optional(),
    takes: durationMs.default(0),
  })
  .refine((written) => written.output === undefined || written.error === undefined, {
    message: 'A reply has an output or an error, not both',
  });

const replies = z.array(reply).min(1, 'A list of replies needs at least one');

/** One reply is short for a list of it. A union would say of a wrong one only that it is neither. */
const replyOrReplies = z.unknown().transform((written, context): z.output<typeof replies> => {
  const read = Array.isArray(written) ? replies.safeParse(written) : reply.transform((one) => [one]).safeParse(written);
  if (read.success) return read.data;
  for (const issue of read.error.issues) context.issues.push({ ...issue, input: written } as z.core.$ZodRawIssue);
  return z.NEVER;
});

const person = z.strictObject({ id: text, roles: z.array(z.string()).optional() });
const after = durationMs.default(0);

/** Which approval is meant. */
const address = {
  after,
  nodeId: text,
  visit: z.int().min(1).optional(),
  path: z.string().optional(),
};

const decision = z.strictObject({
  ...address,
  outcome: text,
  by: person,
  data: json.optional(),
  comment: z.string().optional(),
  subject: z.string().optional(),
});

const task = z.strictObject({
  ...address,
  action: z.enum(['claim', 'release', 'delegate', 'comment']),
  by: person,
  to: text.optional(),
  comment: z.string().optional(),
});

const event = z.strictObject({
  after,
  type: text,
  data: json.optional(),
  id: text.optional(),
  subject: text.optional(),
});

const cancel = z.strictObject({ after, reason: z.string().optional(), by: z.string().optional() });

export const mocksSchema = z.strictObject({
  commands: z.record(z.string(), replyOrReplies).default({}),
  workflows: z.record(z.string(), replyOrReplies).default({}),
  decisions: z.array(decision).default([]),
  tasks: z.array(task).default([]),
  events: z.array(event).default([]),
  cancels: z.array(cancel).default([]),
});

/** A mocks document, read. */
export type PreparedMocks = z.output<typeof mocksSchema>;
export type PreparedReply = z.output<typeof reply>;
export type MockDecision = PreparedMocks['decisions'][number];
export type MockTask = PreparedMocks['tasks'][number];
export type MockEvent = PreparedMocks['events'][number];
export type MockCancel = PreparedMocks['cancels'][number];
