/** The expense approval example on real servers: refused, changed, handed in again, approved by two, paid. */
import type { Definition } from 'fermata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../examples/expense-approval/commands.ts';
import document from '../../examples/expense-approval/definition.json' with { type: 'json' };
import { closeLedger, pay, reverse } from '../../examples/expense-approval/ledger.ts';
import { uniqueName } from '../setup/temporal.ts';
import { type ExampleStage, openExampleStage } from './example-stage.ts';

let stage: ExampleStage;
let rows: ExampleStage['rows'];
let fermata: ExampleStage['fermata'];
const definition: Definition = { ...(document as Definition), id: uniqueName('expenses') };

beforeAll(async () => {
  stage = await openExampleStage({ name: 'expenses', commands, closeServices: [closeLedger] });
  ({ fermata, rows } = stage);
  await fermata.definitions.publish(definition);
});

afterAll(() => stage.close());

const finance = (id: string) => ({ id, roles: ['finance'] });

/** The open task of a node, once the run has come to it. */
async function taskOf(runId: string, nodeId: string): Promise<string> {
  const find = async () => {
    const { items } = await fermata.approvals.list({ runId });
    return items.find((item) => item.nodeId === nodeId)?.taskId;
  };
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return (await find()) ?? '';
}

describe('expense approval on real servers', () => {
  it('goes back to the requester once, then needs two people, and pays what was agreed', async () => {
    const data = { expenseId: uniqueName('E'), requester: 'rita', purpose: 'A chair', amount: 400 };
    const event = { id: uniqueName('evt'), type: 'expense.submitted', source: '/test', data };
    const { runs } = await fermata.events.publish(event);
    const runId = runs[0]?.runId ?? '';

    const first = await taskOf(runId, 'review');
    await expect(fermata.approvals.decide(first, { outcome: 'approved', by: finance('rita') })).rejects.toMatchObject({
      code: 'approval.refused',
      details: { reason: 'excluded' },
    });
    await fermata.approvals.decide(first, { outcome: 'rejected', by: finance('fay'), data: { reason: 'too dear' } });
    const revision = await taskOf(runId, 'revise');
    await fermata.approvals.decide(revision, { outcome: 'resubmitted', by: 'rita', data: { amount: 250 } });
    const second = await taskOf(runId, 'review');
    expect(second).not.toBe(first);
    expect(await fermata.approvals.decide(second, { outcome: 'approved', by: finance('fay') })).toMatchObject({
      status: 'counted',
      settled: null,
    });
    await fermata.approvals.decide(second, { outcome: 'approved', by: finance('finn') });

    expect(await fermata.runs.result(runId)).toEqual({ paymentId: `${runId}/pay/1`, amount: 250, rounds: 2 });
    const paid = await rows.query('select amount::int from expenses.payments where expense_id = $1', [data.expenseId]);
    expect(paid.rows).toEqual([{ amount: 250 }]);
  });
});

describe('payments under a key', () => {
  it('are made once, and can be taken back', async () => {
    const key = uniqueName('key');
    for (const amount of [10, 20]) await pay({ expenseId: key, recipient: 'rita', amount, key });
    await reverse(key);
    const { rows: paid } = await rows.query('select amount::int, reversed from expenses.payments where key = $1', [
      key,
    ]);
    expect(paid).toEqual([{ amount: 10, reversed: true }]);
  });
});
