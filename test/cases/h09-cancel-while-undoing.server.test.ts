/** H09 on the server: what is done and undone stands in the ledger. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CommandError } from '../../activities/command-error.ts';
import { defineCommand, type Registrable } from '../../activities/index.ts';
import type { Definition } from '../../definitions/types.ts';
import { CANCEL } from '../../definitions/wire.ts';
import { order, UNDONE_AFTER_CANCEL } from './h09.ts';
import { type Handle, openStage, type Stage } from './stage.ts';
import { calls } from './tell.ts';

/** What the handlers of one run do beside writing into the ledger. */
interface Plan {
  /** `allocate` ends when it is opened. */
  readonly gate: Promise<void>;
  readonly allocated: 'slow' | 'fatal';
  /** Attempts of `refund` that fail; `Infinity`: for good. */
  readonly failing: number;
  readonly began: (name: string) => void;
}

const plans = new Map<string, Plan>();
let stage: Stage;

const named = (name: string): Registrable =>
  defineCommand({
    type: name,
    input: z.unknown(),
    output: z.null(),
    async execute(_input, { run, idempotencyKey }) {
      const plan = plans.get(run.id);
      plan?.began(name);
      if (name === 'allocate' && plan?.allocated === 'fatal') {
        throw new CommandError('NO_STOCK', 'nothing left', { retryable: false });
      }
      if (name === 'allocate') await plan?.gate;
      const attempt = await stage.ledger.write(idempotencyKey, name);
      if (name !== 'refund' || attempt > (plan?.failing ?? 0)) return null;
      throw new CommandError('BUSY', `attempt ${attempt}`, { retryable: plan?.failing !== Infinity });
    },
  });

beforeAll(async () => {
  const names = ['reserve', 'release', 'charge', 'refund', 'allocate', 'deallocate', 'notify'];
  stage = await openStage({ commands: names.map(named) });
});
afterAll(() => stage.close());

/** Begins a run; `until` resolves when a handler of that name has begun. */
async function begin({ allocated = 'slow', failing = 0 }: Partial<Pick<Plan, 'allocated' | 'failing'>> = {}) {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const waiting = new Map<string, () => void>();
  const names = new Set<string>();
  const began = (name: string): void => {
    names.add(name);
    waiting.get(name)?.();
  };
  const runId = `h09/${failing}-${allocated}-${Date.now()}`;
  plans.set(runId, { gate, allocated, failing, began });
  const definition: Definition = order;
  const run = { id: runId, tenant: 'default', initiator: { id: 'test', kind: 'user' }, entity: null } as const;
  const handle = await stage.start(definition, { run });
  const until = (name: string): Promise<void> =>
    new Promise((resolve) => (names.has(name) ? resolve() : waiting.set(name, resolve)));
  return { handle, until, open };
}

/** Names in the ledger of a run, in the order of their first attempt, with how often they were tried. */
async function ledger({ workflowId }: Handle): Promise<string[]> {
  return (await stage.ledger.of(workflowId)).map(({ name, attempts }) => (attempts > 1 ? `${name}×${attempts}` : name));
}

/** Cancels when the money is there and the goods are under way. */
async function cancelHalfWay({ handle, until, open }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  await until('charge');
  await until('allocate');
  await expect.poll(() => ledger(handle)).toContain('charge');
  await handle.signal(CANCEL, { reason: 'changed my mind' });
  await expect.poll(async () => (await stage.store.runs.document(handle.workflowId))?.state).toBe('paused');
  open();
}

describe('H09', () => {
  test('(a) a cancel awaits what is under way and undoes all of it, latest first', async () => {
    const run = await begin();
    await cancelHalfWay(run);
    const { document } = await stage.conclude(run.handle);
    expect(document.state).toBe('cancelled');
    expect(calls(document)).toEqual(UNDONE_AFTER_CANCEL);
    expect(await ledger(run.handle)).toEqual(['reserve', 'charge', 'allocate', 'deallocate', 'refund', 'release']);
  });

  test("(b) Temporal's own cancel during the undo does not stop it; the refund has three attempts under one key", async () => {
    const run = await begin({ failing: 2 });
    await cancelHalfWay(run);
    await run.until('refund');
    await run.handle.cancel();
    const { document } = await stage.conclude(run.handle);
    expect(document.state).toBe('cancelled');
    expect(await ledger(run.handle)).toEqual(['reserve', 'charge', 'allocate', 'deallocate', 'refund×3', 'release']);
  });

  test('(c) a fatal step undoes the rest, and the run has failed', async () => {
    const run = await begin({ allocated: 'fatal' });
    const { document } = await stage.conclude(run.handle);
    expect(document).toMatchObject({ state: 'failed', error: { type: 'NO_STOCK' } });
    const rows = await ledger(run.handle);
    // Charge was under way when allocate failed: it has been awaited, and taken back.
    expect(rows.filter((name) => name === 'charge')).toHaveLength(rows.filter((name) => name === 'refund').length);
    expect(rows.at(-1)).toBe('release');
  });

  test('(d) a refund that fails for good is told, and the reservation is taken back all the same', async () => {
    const run = await begin({ failing: Infinity });
    await cancelHalfWay(run);
    const { document } = await stage.conclude(run.handle);
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'CANCELLED', details: { notUndone: [{ nodeId: 'charge', error: { type: 'BUSY' } }] } },
    });
    expect((await ledger(run.handle)).at(-1)).toBe('release');
  });
});
