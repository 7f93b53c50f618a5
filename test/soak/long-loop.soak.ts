/** Check 19: a loop of 100,000 turns over many histories. */
import { expect, test } from 'vitest';
import { counting } from '../cases/counting.ts';
import { openStage } from '../cases/stage.ts';
import { simulate } from '../../testing/simulate.ts';
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

test('100,000 turns in the simulator, in a fresh history every 4,096 steps: the same number, unbroken keys', async () => {
  const turns = 100_000;
  const increment = [{ when: 'payload.n >= 0', output: { n: 1 } }];
  const definition = counting({ turns });
  const nodes = definition.nodes.map((node) =>
    node.id === 'keep' ? { ...node, config: { vars: { n: '${vars.n + nodes.inc.output.n}' } } } : node,
  ) as typeof definition.nodes;
  const startedAt = performance.now();
  const mocks = { commands: { increment } };
  const document = await simulate({ ...definition, nodes }, { mocks, rollover: 4096, maxVisits: 5 * turns });
  printFigures('19, long loop in the simulator', { turns, tookMs: Math.round(performance.now() - startedAt) });
  expect(document).toMatchObject({ state: 'completed', output: turns });
  expect(new Set(document.commands.map(({ commandId }) => commandId)).size).toBe(turns + 1);
});
