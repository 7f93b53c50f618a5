/** Check 18, row 15: more signals to one waiting run than one history of Temporal takes. */
import { expect, test } from 'vitest';
import { eventsWith } from '../cases/conclude.ts';
import { openStage } from '../cases/stage.ts';
import { sendSignals } from '../reliability/send-signals.ts';
import { printFigures } from './figure.ts';

test('12,000 signals to a waiting run are all handled, and the decision behind them counts', async () => {
  const stage = await openStage();
  try {
    const startedAt = performance.now();
    const { document, histories } = await sendSignals(stage, 12_000, {});
    const signals = eventsWith(histories, 'workflowExecutionSignaledEventAttributes').length;
    const tookMs = Math.round(performance.now() - startedAt);
    printFigures('18, signals', { signals, histories: histories.length, tookMs });
    expect(document).toMatchObject({ state: 'completed' });
    expect(signals).toBe(12_001);
    expect(histories.length).toBeGreaterThan(1);
  } finally {
    await stage.close();
  }
});
