/** Check 18: 60,000 nodes in a loop. */
import { expect, test } from 'vitest';
import { openStage } from '../cases/stage.ts';
import { spinning } from '../reliability/spinning.ts';
import { printFigures } from './figure.ts';

test('60,000 visits of a loop without an effect end, and no history comes near its limit', async () => {
  const stage = await openStage();
  try {
    const startedAt = performance.now();
    const { document, histories } = await stage.conclude(await stage.start(spinning(60_000)), { withinMs: 60_000 });
    const longestHistory = Math.max(...histories.map(({ events }) => events?.length ?? 0));
    const tookMs = Math.round(performance.now() - startedAt);
    printFigures('18, spinning', { histories: histories.length, longestHistory, tookMs });
    expect(document).toMatchObject({ state: 'completed', output: 30_000 });
    expect(longestHistory).toBeLessThan(10_240);
  } finally {
    await stage.close();
  }
});
