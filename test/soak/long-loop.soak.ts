/** Check 19: a loop of 100,000 turns over many histories. */
import { expect, test } from 'vitest';
import { counting } from '../cases/counting.ts';
import { openStage } from '../cases/stage.ts';
import { printFigures } from './figure.ts';

/** Temporal ends a run at 51,200 events. */
const EVENT_LIMIT = 51_200;

test('100,000 turns with a local command: the right number, unbroken keys, no history past 60 % of a limit', async () => {
  const turns = 100_000;
  const stage = await openStage();
  const startedAt = performance.now();
  try {
    const handle = await stage.start(counting({ turns, local: true }));
    const { document, histories } = await stage.conclude(handle, { withinMs: 120_000 });
    const longest = Math.max(...histories.map(({ events }) => events?.length ?? 0));
    printFigures('19, long loop', {
      turns,
      histories: histories.length,
      longestHistory: longest,
      tookMs: Math.round(performance.now() - startedAt),
    });
    expect(document.output).toBe(turns);
    const keys = document.commands.filter(({ nodeId }) => nodeId === 'inc').map(({ commandId }) => commandId);
    expect(new Set(keys).size).toBe(turns);
    expect(longest).toBeLessThan(0.6 * EVENT_LIMIT);
  } finally {
    await stage.close();
  }
});
