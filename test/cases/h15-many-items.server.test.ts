/** H15 on the server, with 600 items; `npm run soak` plays it with 10,000. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CANCEL } from '../../definitions/wire.ts';
import { AT_ONCE, batch, ends, endsOf, handlers, items, playBeside } from './h15.ts';
import { openStage, type Stage } from './stage.ts';

const seen = handlers();
let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ commands: seen.commands });
});
afterAll(() => stage.close());

/** Among them the one that fails. */
const input = items(600, 500);

describe('H15', () => {
  test('600 items over many histories, 50 at once, in order; a neighbour that begins later ends earlier', async () => {
    const { big, small } = await playBeside(stage, seen, { input, rolloverEvents: 400, count: 20 });
    const neighbours = [];
    for (const handle of small) neighbours.push((await stage.conclude(handle)).document);
    const { document, histories } = await stage.conclude(big);
    expect(document.state).toBe('completed');
    expect(endsOf(document)).toEqual(ends(input));
    expect(document.commands).toHaveLength(600);
    expect(seen.mostOpen()).toBeLessThanOrEqual(AT_ONCE);
    expect(histories.length).toBeGreaterThan(2);
    for (const { state, completedAt } of neighbours) {
      expect(state).toBe('completed');
      expect(Date.parse(completedAt ?? '')).toBeLessThan(Date.parse(document.completedAt ?? ''));
    }
  }, 120_000);

  test('a cancel in the middle lets no further item begin', async () => {
    const middle = new Promise<void>((resolve) => seen.when(seen.started() + 200, resolve));
    const handle = await stage.start(batch, { input });
    await middle;
    await handle.signal(CANCEL, { reason: 'enough' });
    const { document } = await stage.conclude(handle);
    expect(document.state).toBe('cancelled');
    const cancelledAt = document.trace.find(({ nodeId, error }) => nodeId === 'work' && error?.type === 'CANCELLED');
    const begun = document.commands.map(({ command }) => Date.parse(command.timestamp));
    expect(begun.length).toBeLessThan(600);
    expect(Math.max(...begun)).toBeLessThanOrEqual(Date.parse(cancelledAt?.finishedAt ?? document.completedAt ?? ''));
  }, 60_000);
});
