/** H09 in the simulator. */
import { describe, expect, test } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { order, UNDONE_AFTER_CANCEL } from './h09.ts';
import { calls, took } from './tell.ts';

const busy = { error: { type: 'BUSY' }, takes: '1s' } as const;
const slow = { takes: '10s' };
const noStock = { error: { type: 'NO_STOCK', retryable: false } };

async function play(commands: Mocks['commands'], ...cancelAfter: string[]): Promise<RunDocument> {
  const mocks = { commands: { allocate: slow, ...commands }, cancels: cancelAfter.map((after) => ({ after })) };
  const document = await simulate(order, { mocks });
  expect(await simulate(order, { mocks, rollover: 1 })).toEqual(document);
  expect(document.trace.map(({ nodeId }) => nodeId)).not.toContain('notify');
  return document;
}

describe('H09', () => {
  test('(a) a cancel awaits what is under way, undoes all of it, and only then the run is cancelled', async () => {
    const document = await play({ release: { takes: '4s' } }, '2s');
    expect(document.state).toBe('cancelled');
    expect(calls(document)).toEqual(UNDONE_AFTER_CANCEL);
    expect(took(document)).toBe(14);
  });

  test('(b) a second cancel does not stop the undo; an undo that fails is tried again under its key', async () => {
    const document = await play({ refund: [busy, busy, {}] }, '2s', '10500ms', '11s');
    expect(document.state).toBe('cancelled');
    expect(calls(document)).toEqual(['reserve', 'charge', 'allocate', '~allocate', '~charge×3', '~reserve']);
  });

  test('(c) without a cancel a fatal step undoes the rest, and the run has failed', async () => {
    const document = await play({ allocate: noStock });
    expect(document).toMatchObject({ state: 'failed', error: { type: 'NO_STOCK', nodeId: 'allocate' } });
    expect(calls(document)).toEqual(['reserve', 'charge', 'allocate!', '~charge', '~reserve']);
  });

  test('(d) an undo that gives up does not stop the others; the end says what is not undone', async () => {
    const document = await play({ refund: { error: { type: 'LOST', retryable: false } } }, '2s');
    expect(calls(document)).toEqual(['reserve', 'charge', 'allocate', '~allocate', '~charge!', '~reserve']);
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'CANCELLED', details: { notUndone: [{ nodeId: 'charge', error: { type: 'LOST' } }] } },
    });
  });
});
