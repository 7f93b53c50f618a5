import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { type Command, type CommandContext, createRegistry, defineCommand } from '../../activities/index.ts';

const input = z.object({ leadId: z.string(), team: z.string().default('sales'), at: z.coerce.date() });
const output = z.object({ ownerId: z.string(), note: z.string().default('') });

test('handlers are typed from their schemas', () => {
  const assign = defineCommand({
    type: 'assign_lead',
    input,
    output,
    execute(given, ctx) {
      expectTypeOf(given).toEqualTypeOf<{ leadId: string; team: string; at: Date }>();
      expectTypeOf(ctx).toEqualTypeOf<CommandContext>();
      return { ownerId: given.team };
    },
    rollback(given, made) {
      expectTypeOf(given.at).toEqualTypeOf<Date>();
      expectTypeOf(made).toEqualTypeOf<{ ownerId: string; note: string }>();
    },
  });
  expectTypeOf(assign).toEqualTypeOf<Command<typeof input, typeof output>>();
  expectTypeOf(assign.version).toEqualTypeOf<number>();

  const quiet = defineCommand({ type: 'quiet', input: z.string(), output: z.void(), async execute() {} });
  expectTypeOf(createRegistry).toBeCallableWith([assign, quiet]);
});

test('what does not fit is refused by the compiler', () => {
  // @ts-expect-error a handler must return what its output schema takes
  defineCommand({ type: 'a', input, output, execute: () => ({ ownerId: 7 }) });
  // @ts-expect-error and so must one that promises
  defineCommand({ type: 'b', input, output, execute: async () => ({}) });
  defineCommand({
    type: 'c',
    input,
    output,
    // @ts-expect-error the input has no such field
    execute: ({ leadID }) => ({ ownerId: String(leadID) }),
  });
  defineCommand({
    type: 'd',
    input,
    output,
    // @ts-expect-error the context has no such member
    execute: (_, { idempotencykey: ownerId }) => ({ ownerId: String(ownerId) }),
  });
  // @ts-expect-error a version is a number
  expect(() => defineCommand({ type: 'e', version: '1', input, output, execute: () => ({ ownerId: '' }) })).toThrow(
    'not "1"',
  );
});
