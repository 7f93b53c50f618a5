/** Case H15 at full size on the server: 10,000 items of one run, and runs of a neighbour beside it. */
import { expect, test } from 'vitest';
import { AT_ONCE, ends, endsOf, handlers, items, playBeside } from '../cases/h15.ts';
import { openStage } from '../cases/stage.ts';
import { printFigures } from './figure.ts';

/** Temporal warns from here on. */
const WARNING_EVENTS = 10_240;

test('10,000 items, 50 at once, end in order; no history comes near a limit; the neighbour ends earlier', async () => {
  const seen = handlers();
  const stage = await openStage({ commands: seen.commands });
  const input = items(10_000);
  try {
    const startedAt = performance.now();
    const { big, small } = await playBeside(stage, seen, { input, count: 20 });
    const neighbours = [];
    for (const handle of small) neighbours.push((await stage.conclude(handle, { withinMs: 60_000 })).document);
    const { document, histories } = await stage.conclude(big, { withinMs: 120_000 });
    const longestHistory = Math.max(...histories.map(({ events }) => events?.length ?? 0));
    const tookMs = Math.round(performance.now() - startedAt);
    const endedEarlier = neighbours.filter(({ completedAt }) => (completedAt ?? '') < (document.completedAt ?? ''));
    printFigures('H15, many items', { histories: histories.length, longestHistory, mostOpen: seen.mostOpen(), tookMs });
    expect(document.state).toBe('completed');
    expect(endsOf(document)).toEqual(ends(input));
    expect(longestHistory).toBeLessThan(WARNING_EVENTS);
    expect(seen.mostOpen()).toBeLessThanOrEqual(AT_ONCE);
    expect(endedEarlier).toHaveLength(20);
  } finally {
    await stage.close();
  }
});
