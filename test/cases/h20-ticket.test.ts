/** Case H20 in the simulator: the rounds of one ticket among the events of others. */
import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../definitions/check-definition.ts';
import type { Json } from '../../definitions/types.ts';
import { simulate } from '../../testing/index.ts';
import { CLOSED, dance, opened, REWORKED, rounds, TICKET, type TicketEvent, told } from './h20-ticket.ts';

async function play(number: number, events: readonly TicketEvent[], rollover?: number) {
  const mocks = { events: events.map((event, index) => ({ after: `${index + 1}s`, ...event })) };
  const { type, data } = opened(number);
  const event = { id: `opened-${number}`, type, source: '/github', data };
  const document = await simulate(TICKET, { event, mocks, ...(rollover ? { rollover } : {}) });
  const visits = document.trace.filter(({ nodeId }) => nodeId === 'to_dev').length;
  return { ...document, visits };
}

describe('H20', () => {
  test('a ticket comes back and back, until the developer reviews the own work', async () => {
    const document = await play(17, rounds(17, 'rework'));
    expect(told(document.emitted)).toEqual(REWORKED);
    expect(document).toMatchObject({ state: 'failed', visits: 3, error: { type: 'INVALID_REVIEWER' } });
    const numbers = document.emitted?.map(({ data }) => (data as { number: Json }).number);
    expect(new Set(numbers)).toEqual(new Set([17]));
    expect(await play(17, rounds(17, 'rework'), 1)).toEqual(document);
  });

  test('a ticket that is found good is closed once', async () => {
    const document = await play(17, rounds(17, 'close'));
    expect(told(document.emitted)).toEqual(CLOSED);
    expect(document.commands.map(({ command }) => command.payload)).toEqual([{ close: 17 }]);
    expect(document).toMatchObject({ state: 'completed' });
  });

  test('an action that is not known fails the run by name', async () => {
    expect(await play(17, dance(17))).toMatchObject({
      state: 'failed',
      error: { type: 'UNSUPPORTED_ACTION', message: 'unsupported action dance' },
    });
  });

  test('events of another ticket move nothing', async () => {
    const document = await play(17, rounds(18, 'close'));
    expect(told(document.emitted)).toEqual(['toDev']);
    expect(document).toMatchObject({ state: 'running', waiting: [{ nodeId: 'done', kind: 'event' }] });
  });

  test('what no earlier step can have set is flagged', () => {
    const nodes = TICKET.nodes.map((node) =>
      node.id === 'to_dev' ? { ...node, config: { event: 'issue.toDev', data: '${vars.issue.number}' } } : node,
    );
    const { issues } = checkDefinition({ ...TICKET, nodes });
    expect(issues).toMatchObject([{ severity: 'error', nodeId: 'to_dev' }]);
  });
});
