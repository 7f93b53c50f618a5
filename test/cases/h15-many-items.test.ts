/** H15 at full size, in the simulator. */
import { describe, expect, test } from 'vitest';
import { simulate } from '../../testing/simulate.ts';
import { AT_ONCE, batch, ends, endsOf, FATAL_ITEM, items, mostOpen } from './h15.ts';

const input = items(10_000);
const work = [
  { when: `payload.item == ${FATAL_ITEM}`, error: { type: 'NO_STOCK', retryable: false } },
  // The later the item, the sooner it is done, as far as there is room.
  { when: 'payload.item % 2 == 0', takes: '3s' },
  { takes: '1s' },
];

describe('H15: of 10,000 items, 50 at once,', () => {
  test('all are done, one fails, and what they give is in the order of the items', async () => {
    const document = await simulate(batch, { input, mocks: { commands: { work } }, rollover: 5000 });
    expect(document.state).toBe('completed');
    expect(endsOf(document)).toEqual(ends(input));
    expect(document.commands).toHaveLength(10_000);
    expect(mostOpen(document)).toBe(AT_ONCE);
  }, 60_000);

  test('none begins after a cancel', async () => {
    const cancels = [{ after: '100500ms' }];
    const document = await simulate(batch, { input, mocks: { commands: { work }, cancels } });
    expect(document.state).toBe('cancelled');
    const begun = document.commands.map(({ command }) => Date.parse(command.timestamp));
    expect(begun.length).toBeLessThan(4000);
    expect(Math.max(...begun)).toBeLessThan(Date.parse(document.startedAt) + 100_500);
  }, 60_000);
});
