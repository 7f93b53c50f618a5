/** Case H08, in the simulator: all of its variants at full length. */
import { describe, expect, test } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import type { Definition } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { counting, countingInABranch, countingThenAsking, countingThenFailing } from './counting.ts';
import { calls, took } from './tell.ts';

const TURNS = 12_000;

async function played(definition: Definition, mocks: Mocks = {}): Promise<RunDocument> {
  const increment = Array.from({ length: TURNS }, (_, n) => ({ output: { n: n + 1 } }));
  const document = await simulate(definition, {
    mocks: { ...mocks, commands: { increment, ...mocks.commands } },
    rollover: 4096,
  });
  const increments = document.commands.filter(({ nodeId }) => nodeId === 'inc');
  expect(new Set(increments.map(({ commandId }) => commandId)).size).toBe(TURNS);
  expect(increments.every(({ state }) => state === 'success')).toBe(true);
  return document;
}

/** All calls but the turns. */
const rest = (document: RunDocument): string[] => calls(document).filter((call) => call !== 'inc');

describe('H08: 12,000 turns of a loop, each under its own idempotency key,', () => {
  test('end with the right number', async () => {
    expect(await played(counting({ turns: TURNS }))).toMatchObject({ state: 'completed', output: TURNS });
  }, 60_000);

  test('with a second each, in one branch of a fork', async () => {
    const document = await played(countingInABranch({ turns: TURNS, pause: '1s' }));
    expect(document).toMatchObject({ state: 'completed', output: TURNS });
    expect(rest(document)).toEqual(['beside', 'done']);
    expect(took(document)).toBe(TURNS);
  }, 60_000);

  test('fail behind the loop: what was done before it is undone once', async () => {
    const fatal = { error: { type: 'NO_STOCK', retryable: false } };
    const document = await played(countingThenFailing({ turns: TURNS }), { commands: { fatal } });
    expect(document).toMatchObject({ state: 'failed', error: { type: 'NO_STOCK' } });
    expect(rest(document)).toEqual(['before', 'fatal!', '~before']);
  }, 60_000);

  test('a decision that comes at turn 6,000 counts behind the loop', async () => {
    const decisions = [{ after: '6000s', nodeId: 'ask', outcome: 'approved', by: { id: 'ann' } }];
    const document = await played(countingThenAsking({ turns: TURNS, pause: '1s' }), { decisions });
    expect(document).toMatchObject({ state: 'completed', output: TURNS });
    expect(document.trace.find(({ nodeId }) => nodeId === 'ask')).toMatchObject({ outcome: 'approved' });
    expect(took(document)).toBe(TURNS);
  }, 60_000);
});
