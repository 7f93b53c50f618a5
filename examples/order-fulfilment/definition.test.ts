/** The saga through the simulator: what is done side by side, and what is taken back when a part of it fails. */
import { readFileSync } from 'node:fs';
import { createManifest, createRegistry } from 'fermata/activities';
import { type Definition, parseDefinition, type RunDocument } from 'fermata/definitions';
import { type Mocks, simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';

const handlers = createManifest(createRegistry(commands));
const text = readFileSync(new URL('definition.yaml', import.meta.url), 'utf8');
const { definition, issues } = parseDefinition(text, { file: 'definition.yaml', handlers });

const REPLIES = {
  score_order: { output: { score: 0.1 } },
  reserve_stock: { output: { reservation: 'r-1' }, takes: '2s' },
  charge_card: { output: { charge: 'c-1' }, takes: '3s' },
  book_courier: { output: { pickup: 'p-1' }, takes: '1s' },
  dispatch_order: { output: { parcel: 'parcel-1' } },
  write_to_customer: { output: { messageId: 'm-1' } },
} satisfies Mocks['commands'];
const SUSPICIOUS = { score_order: { output: { score: 0.9 } } };
const no = (type: string) => ({ error: { type, message: 'no', retryable: false } });

function order(replies: Mocks['commands'] = {}, mocks: Mocks = {}): Promise<RunDocument> {
  const lines = [
    { sku: 'desk', quantity: 1 },
    { sku: 'chair', quantity: 4 },
  ];
  const data = { orderId: 'O-1', email: 'ada@example.org', card: 'tok_1', total: 640, lines };
  const event = { id: 'evt-1', type: 'order.placed', source: '/shop', data };
  return simulate(definition as Definition, {
    event,
    handlers,
    mocks: { ...mocks, commands: { ...REPLIES, ...replies } },
  });
}

const undone = ({ commands: given }: RunDocument) =>
  given.filter(({ undoes }) => undoes !== undefined).map(({ nodeId }) => nodeId);

describe('order fulfilment', () => {
  it('is valid with the handlers of this folder', () => {
    expect(issues).toEqual([]);
  });

  it('secures goods, money and courier at the same time, then ships', async () => {
    const run = await order();
    expect(run).toMatchObject({ state: 'completed', output: { orderId: 'O-1', parcel: 'parcel-1' }, key: '"O-1"' });
    expect(run.completedAt).toBe('2027-01-01T00:00:03.000Z'); // as long as the slowest, not the sum
    expect(undone(run)).toEqual([]);
  });

  it('takes everything back, last thing first, when an article is sold out', async () => {
    const run = await order({
      reserve_stock: [
        { when: "get(payload, 'sku', '') == 'chair'", ...no('SOLD_OUT'), takes: '4s' },
        REPLIES.reserve_stock,
      ],
    });
    expect(run).toMatchObject({ state: 'failed', error: { type: 'ORDER_REFUSED' } });
    expect(undone(run)).toEqual(['charge', 'reserve', 'allocate']);
    expect(run.commands.at(-1)?.command).toMatchObject({
      type: 'write_to_customer',
      payload: { text: 'We cannot fulfil order O-1. Nothing was charged.' },
    });
  });

  it('takes everything back when the warehouse cannot take it, though all was secured', async () => {
    expect(undone(await order({ dispatch_order: no('NO_ROOM') }))).toEqual([
      'charge',
      'reserve',
      'reserve',
      'allocate',
    ]);
  });

  it('asks for another card when one is declined, and tries all of it again', async () => {
    const charge_card = [{ when: "payload.card == 'tok_1'", ...no('CARD_DECLINED') }, REPLIES.charge_card];
    const another = { after: '1d', type: 'card.replaced', data: { orderId: 'O-1', card: 'tok_2' } };
    const someoneElses = { ...another, after: '1h', data: { orderId: 'O-2', card: 'tok_3' } };
    const run = await order({ charge_card }, { events: [someoneElses, another] });
    expect(run).toMatchObject({ state: 'completed', vars: { card: 'tok_2' } });
    const lapsed = await order({ charge_card });
    expect(lapsed).toMatchObject({ state: 'failed', completedAt: expect.stringMatching('^2027-01-03') });
  });

  it('holds what looks like fraud: a person lets it pass or refuses it, and nobody is a no', async () => {
    const by = { id: 'fred', roles: ['fraud-desk'] };
    const decided = (outcome: string): Mocks => ({ decisions: [{ after: '2h', nodeId: 'hold', outcome, by }] });
    expect(await order(SUSPICIOUS, decided('genuine'))).toMatchObject({ state: 'completed' });
    for (const mocks of [decided('fraud'), {}]) {
      const run = await order(SUSPICIOUS, mocks);
      expect(run).toMatchObject({ state: 'failed', error: { type: 'ORDER_REFUSED' } });
      expect(run.commands.map(({ command }) => command.type)).toEqual(['score_order', 'write_to_customer']);
    }
  });
});
