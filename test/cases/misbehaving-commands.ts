/** Handlers that take their process down, or hold it up, at their first attempt. Each writes its row first. */
import { z } from 'zod';
import { defineCommand, type Registrable } from '../../activities/index.ts';
import type { Ledger } from './ledger.ts';

/** What the first attempt does after its row is written. */
const MISBEHAVIOURS: { readonly [type: string]: (forMs: number) => Promise<void> | void } = {
  /** Done, and never says so: the test kills the process meanwhile. */
  done_but_silent: () => new Promise(() => undefined),
  exits: () => process.exit(7),
  blocks(forMs) {
    const until = performance.now() + forMs;
    while (performance.now() < until);
  },
};

export function misbehavingCommands(ledger: Ledger): readonly Registrable[] {
  return Object.entries(MISBEHAVIOURS).map(([type, misbehave]) =>
    defineCommand({
      type,
      input: z.object({ forMs: z.number().default(0) }),
      output: z.object({ attempt: z.number() }),
      async execute({ forMs }, { idempotencyKey, attempt }) {
        await ledger.write(idempotencyKey, type);
        if (attempt === 1) await misbehave(forMs);
        return { attempt };
      },
    }),
  );
}
