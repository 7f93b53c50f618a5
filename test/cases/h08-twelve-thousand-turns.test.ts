/** Case H08, first line, in the simulator. */
import { expect, test } from 'vitest';
import { simulate } from '../../testing/simulate.ts';
import { counting } from './counting.ts';

test('H08: 12,000 turns of a loop end with the right number, each under its own idempotency key', async () => {
  const document = await simulate(counting({ turns: 12_000 }), {
    mocks: { commands: { increment: Array.from({ length: 12_000 }, (_, n) => ({ output: { n: n + 1 } })) } },
    rollover: 4096,
  });
  expect(document).toMatchObject({ state: 'completed', output: 12_000 });
  const increments = document.commands.filter(({ nodeId }) => nodeId === 'inc');
  expect(new Set(increments.map(({ commandId }) => commandId)).size).toBe(12_000);
  expect(increments.every(({ state }) => state === 'success')).toBe(true);
}, 60_000);
