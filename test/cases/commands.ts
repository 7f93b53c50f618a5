/**
 * The stub handlers of the cases (`docs`: "How to read and run them"), and one that reports what strangers did to it.
 */
import { z } from 'zod';
import { CommandError } from '../../activities/command-error.ts';
import { type Registrable, defineCommand } from '../../activities/index.ts';
import type { Ledger } from './ledger.ts';

const anything = z.unknown();

/** Gives its input back, untouched. */
const keep = defineCommand({
  type: 'keep',
  input: anything,
  output: anything,
  execute: (input) => input,
});

/** Gives what a handler gives that hands over a value of its own: hostile keys and all. */
const give = defineCommand({
  type: 'give',
  input: z.object({ text: z.string() }),
  output: anything,
  execute: ({ text }): unknown => JSON.parse(text),
});

const increment = defineCommand({
  type: 'increment',
  input: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
  execute: ({ n }) => ({ n: n + 1 }),
});

const big = defineCommand({
  type: 'big',
  input: z.object({ bytes: z.number() }),
  output: z.string(),
  execute: ({ bytes }) => 'x'.repeat(bytes),
});

const fatal = defineCommand({
  type: 'fatal',
  input: anything,
  output: z.null(),
  execute: () => Promise.reject(new CommandError('NO_STOCK', 'nothing left', { retryable: false })),
});

/** Throws a retryable error `times` times. */
const failTimes = defineCommand({
  type: 'fail_times',
  input: z.object({ times: z.number() }),
  output: z.object({ attempt: z.number() }),
  execute({ times }, { attempt }) {
    if (attempt <= times) throw new CommandError('BUSY', `attempt ${attempt} of ${times + 1}`);
    return { attempt };
  },
});

/** Looks at an empty object for what a polluted prototype would put there. */
const probe = defineCommand({
  type: 'probe',
  input: anything,
  output: z.object({ seen: z.array(z.string()) }),
  execute() {
    const seen: string[] = [];
    for (const key in {}) seen.push(key);
    return { seen };
  },
});

/** Never returns, and never hears that nobody waits for it any more. */
const hang = defineCommand({
  type: 'hang',
  input: anything,
  output: z.null(),
  execute: () => new Promise<null>(() => undefined),
});

/** The stubs that need nothing. */
export const STUBS: readonly Registrable[] = [keep, give, increment, big, fatal, failTimes, probe, hang];

/** `ledger`: one row per idempotency key; its rollback is a row of its own. */
export function ledgerCommand(ledger: Ledger): Registrable {
  return defineCommand({
    type: 'ledger',
    input: z.object({ name: z.string() }),
    output: z.object({ attempt: z.number() }),
    async execute({ name }, { idempotencyKey }) {
      return { attempt: await ledger.write(idempotencyKey, name) };
    },
    async rollback({ name }, _output, { idempotencyKey }) {
      await ledger.write(idempotencyKey, `undo ${name}`);
    },
  });
}

/** The command that not every worker knows. */
export const newCommand = defineCommand({
  type: 'new_cmd',
  input: anything,
  output: z.object({ done: z.boolean() }),
  execute: () => ({ done: true }),
});
