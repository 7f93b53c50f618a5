/** The language reference: its tables are those of the schemas, and each of its snippets is valid and does what it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDefinition, type Json, type RunDocument, unsupportedIssues } from 'fermata/definitions';
import { type SimulateOptions, simulate } from 'fermata/testing';
import { describe, expect, it, test } from 'vitest';
import { FIELD_NOTES } from '../../definitions/schema/field-notes.ts';
import { languageDocs } from '../../scripts/language-docs.ts';
import { EVERYTHING } from '../definitions/documents.ts';
import { ROOT } from './documents.ts';
import { snippetsOf } from './snippets.ts';

const PAGE = 'docs/language.md';
const page = readFileSync(join(ROOT, PAGE), 'utf8');
const snippets = snippetsOf(PAGE);

/** Parts of the language that are shown and not run yet. */
const NOT_YET = 'definition.unsupported';

const order = (after: string, type: string) => ({ after, type, data: { orderId: 'O-1', amount: 7 } });
const finance = (after: string, id: string) => ({
  after,
  nodeId: 'review',
  outcome: 'approved',
  by: { id, roles: ['finance'] },
});
const lines = [
  { sku: 'desk', price: 640, quantity: 1 },
  { sku: 'chair', price: 90, quantity: 4 },
];
const no = (type: string) => ({ error: { type, message: 'no', retryable: false } });
const vars = (expected: Json) => ({ vars: expected });

interface Story {
  readonly given?: SimulateOptions;
  readonly gives: unknown;
}
const input = (value: Json, mocks: SimulateOptions['mocks'] = {}): SimulateOptions => ({ input: value, mocks });

/** What each snippet does, by its name; some do several things. */
const STORIES: Readonly<Record<string, readonly Story[]>> = {
  charging: [
    {
      given: { event: { id: 'e', type: 'card.scanned', source: '/', data: { station: 1, card: 'c' } } },
      gives: { key: '{"card":"c","station":1}', vars: { card: 'c' } },
    },
  ],
  names: [
    {
      given: input({ customer: { name: 'Ada' }, lines }),
      gives: {
        output: {
          greeting: 'Dear Ada, you are number 1',
          total: [640, 360],
          big: ['desk'],
          vip: false,
          price: '${total}',
        },
      },
    },
  ],
  triggers: [],
  charge: [
    {
      given: input({ card: 'c', amount: 7 }, { commands: { charge_card: { output: { id: 'c-1' } } } }),
      gives: { commands: [{}, { command: { payload: { text: 'Paid: c-1' } } }] },
    },
    {
      given: input({ card: 'c', amount: 7 }, { commands: { charge_card: no('CARD_DECLINED') } }),
      gives: { commands: [{ attempts: 1 }, { command: { payload: { text: 'Not paid: no' } } }] },
    },
    {
      // An error that nothing takes fails the run, which takes the charge back by its command.
      given: input(
        { card: 'c', amount: 7 },
        { commands: { charge_card: { output: { id: 'c-1' } }, write: no('NO_PAPER') } },
      ),
      gives: {
        state: 'failed',
        commands: [{ state: 'rolled_back' }, {}, { command: { type: 'refund', payload: { charge: 'c-1' } } }],
      },
    },
  ],
  is_small: [
    { given: input({ amount: 50, kind: 'book' }), gives: vars({ total: 1, failures: 0, who: 'nobody' }) },
    { given: input({ amount: 60, kind: 'book' }), gives: { vars: { who: 'lead' } } },
    { given: input({ amount: 10_000, kind: 'travel' }), gives: { vars: { who: 'board', before: 'unset' } } },
  ],
  quotes: [
    {
      given: input(null, {
        commands: {
          quote: [
            { when: "payload.of == 'north'", ...no('CLOSED') },
            { output: { price: 5 }, takes: '1s' },
          ],
        },
      }),
      gives: { vars: { prices: [5] }, completedAt: '2027-01-08T00:00:00.000Z' },
    },
    {
      given: input(null, { commands: { quote: { output: { price: 5 } } } }),
      gives: { vars: { prices: [5, 5] }, completedAt: '2027-01-01T00:00:00.000Z' },
    },
    {
      given: input(null, { commands: { quote: no('CLOSED') } }),
      gives: { error: { type: 'COUNT_UNREACHABLE', cause: { type: 'CLOSED' } } },
    },
  ],
  each_line: [
    {
      given: input({ lines }, { commands: { reserve: { output: { id: 'r' } } } }),
      gives: { vars: { reserved: ['r', 'r'] } },
    },
    { given: input({ lines: [] }), gives: { vars: { reserved: [] } } },
  ],
  trip: [
    { gives: { vars: { trip: 'booked' } } },
    {
      given: input(null, {
        commands: { book: [{ when: "get(payload, 'what', '') == 'hotel'", ...no('FULL') }, { output: {} }] },
      }),
      gives: {
        vars: { trip: 'FULL' },
        commands: [{ state: 'rolled_back' }, { state: 'failed' }, { undoes: 'snippet/simulation/flight/1' }],
      },
    },
    {
      given: input(null, { commands: { book: { output: {}, takes: '40s' } } }),
      gives: { vars: { trip: 'later' }, commands: [{ state: 'rolled_back' }, { state: 'rolled_back' }, {}, {}] },
    },
  ],
  refused: [
    {
      given: input({ amount: 7 }),
      gives: { state: 'failed', error: { type: 'ORDER_REFUSED', message: 'No credit for 7' } },
    },
  ],
  remind_at: [{ given: input({ day: '2027-07-01' }), gives: { completedAt: '2027-07-01T07:00:00.000Z' } }],
  payment: [
    {
      given: input({ orderId: 'O-1' }, { events: [order('1h', 'payment.settled')] }),
      gives: { emitted: [{ type: 'order.paid', data: { amount: 7 } }] },
    },
    {
      given: input({ orderId: 'O-1' }, { events: [order('1h', 'payment.failed')] }),
      gives: { emitted: [{ type: 'order.unpaid' }] },
    },
    {
      given: input({ orderId: 'O-2' }, { events: [order('1h', 'payment.settled')] }),
      gives: { emitted: [{ subject: 'O-2' }], completedAt: '2027-01-04T00:00:00.000Z' },
    },
  ],
  // Their own test: language-child-runs.test.ts.
  'ask-twice': [],
  'big-order': [],
  may_fail: [],
  review: [
    {
      given: input(
        { amount: 7, supplier: 's', owner: 'olga' },
        { decisions: [finance('1h', 'fay'), finance('2h', 'finn')] },
      ),
      gives: { trace: [{ outcome: 'approved' }, { nodeId: 'pay' }] },
    },
    {
      given: input(
        { amount: 7, supplier: 's', owner: 'olga' },
        { decisions: [finance('1h', 'fay'), finance('3h', 'fay')] },
      ),
      gives: { trace: [{ outcome: 'timeout' }, { nodeId: 'refuse' }] },
    },
  ],
  // Its own test: the example examples/lead-onboarding.
  'facebook-lead-onboarding': [],
};

test('its tables of fields are what `npm run generate` would write, one for each node type', () => {
  expect(page).toBe(languageDocs(page));
  const shown = [...page.matchAll(/<!-- fields of (\w+),/g)].map(([, type]) => type);
  expect(new Set(shown)).toEqual(new Set(Object.keys(FIELD_NOTES)));
  expect(shown).toHaveLength(Object.keys(FIELD_NOTES).length);
});

test('what it says does not run yet is refused at publish, and all of that', () => {
  const rows = [...page.matchAll(/^\| (?:triggers|document) \| (`.*`) \|$/gm)].flatMap(([, cell = '']) =>
    cell.split(', '),
  );
  const parts = rows.map((part) => part.slice(1, -1));
  const refused = unsupportedIssues(EVERYTHING).map(({ message }) => message);
  expect(parts.length).toBeGreaterThan(0);
  expect(parts.filter((part) => !refused.some((message) => message.includes(part)))).toEqual([]);
  expect(refused.filter((message) => !parts.some((part) => message.includes(part)))).toEqual([]);
});

describe('its snippets', () => {
  it('are JSON that a test reads', () => {
    expect(page).not.toContain('```jsonc');
    expect(snippets.map(({ name }) => name)).toEqual(Object.keys(STORIES));
  });

  it.each(snippets)('are valid: $name', ({ definition }) => {
    const { issues } = checkDefinition(definition);
    expect(issues.filter(({ code }) => code !== NOT_YET)).toEqual([]);
  });

  const stories = snippets.flatMap(({ name, definition }) =>
    (STORIES[name] ?? []).map((story) => ({ name, definition, ...story })),
  );
  it.each(stories)('do what they say: $name', async ({ definition, given = {}, gives }) => {
    const run: RunDocument = await simulate(definition, given);
    expect(run).toMatchObject(gives as object);
  });
});
