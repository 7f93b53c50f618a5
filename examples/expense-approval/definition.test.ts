/** The rework loop through the simulator: weeks of people's time in milliseconds, no servers. */
import { createManifest, createRegistry } from 'fermata/activities';
import { checkDefinition, type Definition, type RunDocument } from 'fermata/definitions';
import { type Mocks, simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';
import document from './definition.json' with { type: 'json' };

const handlers = createManifest(createRegistry(commands));
const definition = document as Definition;
type Decision = NonNullable<Mocks['decisions']>[number];

const finance = (id: string) => ({ id, roles: ['finance'] });
const approve = (after: string, id: string): Decision => ({
  after,
  nodeId: 'review',
  outcome: 'approved',
  by: finance(id),
});
const reject = (after: string, id: string, reason?: string): Decision => ({
  ...approve(after, id),
  outcome: 'rejected',
  ...(reason === undefined ? {} : { data: { reason } }),
});
const revise = (after: string, data: { amount?: number } = {}): Decision => ({
  after,
  nodeId: 'revise',
  outcome: 'resubmitted',
  by: { id: 'rita' },
  data,
});

function run(decisions: readonly Decision[], amount = 400): Promise<RunDocument> {
  const data = { expenseId: 'e-1', requester: 'rita', purpose: 'A chair', amount };
  const event = { id: 'evt-1', type: 'expense.submitted', source: '/expenses', time: '2027-01-01T00:00:00Z', data };
  const replies = { pay_expense: { output: { paymentId: 'p-1' } }, send_notice: { output: { noticeId: 'n-1' } } };
  return simulate(definition, { event, handlers, mocks: { commands: replies, decisions } });
}

const steps = ({ trace }: RunDocument): string => trace.map(({ nodeId }) => nodeId).join(' ');

describe('expense approval', () => {
  it('is valid with the handlers of this folder', () => {
    expect(checkDefinition(document, { handlers })).toMatchObject({ issues: [] });
  });

  it('pays a small expense without asking anybody', async () => {
    expect(steps(await run([], 30))).toBe('size pay receipt paid');
  });

  it('waits for two people of finance, of whom the requester is none', async () => {
    const one = await run([approve('1h', 'fay'), approve('2h', 'fay'), approve('3h', 'rita')]);
    expect(one).toMatchObject({ state: 'failed', error: { type: 'EXPENSE_LAPSED' } });
    const two = await run([approve('1h', 'fay'), approve('2h', 'finn')]);
    expect(two).toMatchObject({ state: 'completed', output: { paymentId: 'p-1', amount: 400, rounds: 1 } });
  });

  it('goes back to the requester when one refuses, and pays what was agreed in the end', async () => {
    const document = await run([
      reject('1h', 'fay', 'too dear'),
      revise('2h', { amount: 250 }),
      approve('3h', 'fay'),
      approve('4h', 'finn'),
    ]);
    expect(steps(document)).toBe('size review rounds notice revise next_round review pay receipt paid');
    expect(document.output).toEqual({ paymentId: 'p-1', amount: 250, rounds: 2 });
    expect(document.commands.map(({ command }) => command.payload)).toEqual([
      { to: 'rita', text: 'Refused: too dear' },
      { expenseId: 'e-1', to: 'rita', amount: 250 },
      { to: 'rita', text: 'Paid: 250 EUR' },
    ]);
  });

  it('refuses for good at the third refusal', async () => {
    const rounds = [reject('1h', 'fay'), revise('2h'), reject('3h', 'fay'), revise('4h'), reject('5h', 'fay')];
    expect(await run(rounds)).toMatchObject({ state: 'failed', error: { type: 'EXPENSE_REFUSED' } });
  });

  it('ends cancelled when the requester withdraws it or forgets it', async () => {
    const withdrawn = await run([reject('1h', 'fay'), { ...revise('2h'), outcome: 'withdrawn' }]);
    const forgotten = await run([reject('1h', 'fay')]);
    expect([withdrawn.state, forgotten.state]).toEqual(['cancelled', 'cancelled']);
    expect(forgotten.completedAt).toBe('2027-01-31T01:00:00.000Z');
  });
});
