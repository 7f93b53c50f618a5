/** H17: a trip is booked in steps, and whatever fails takes back what was done before it. */
import { describe, expect, test } from 'vitest';
import type { Definition, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { calls, inTurn, took } from './tell.ts';

/** Infrastructure errors are tried again after 2 4 8 16 32 64 s, business errors never; an undo three more times. */
const book = (id: string, undo?: string): Node => ({
  id,
  type: 'action',
  config: {
    command: id,
    retry: { maxAttempts: 7, initialInterval: '2s', maxInterval: '64s', jitter: 0, nonRetryable: ['BUSINESS'] },
    ...(undo === undefined ? {} : { undo: { command: undo } }),
  },
});

const definition: Definition = {
  id: 'trip',
  nodes: [
    {
      id: 'booking',
      type: 'scope',
      config: {
        undo: true,
        nodes: inTurn(
          book('flight', 'unFlight'),
          book('car', 'unCar'),
          book('pay', 'refund'),
          book('okFlight'),
          book('okCar'),
        ),
      },
      nextNodeId: 'msgOk',
      fallbackNodeId: 'msgFail',
    },
    book('msgOk'),
    { ...book('msgFail'), nextNodeId: 'failed' },
    {
      id: 'failed',
      type: 'end',
      config: { status: 'failed', error: { type: 'NOT_BOOKED', message: '${error.type} at ${error.nodeId}' } },
    },
  ],
};

const business = { error: { type: 'BUSINESS', retryable: true } };
const infrastructure = { error: { type: 'BUSY' } };
const run = (commands: NonNullable<Mocks['commands']>) => simulate(definition, { mocks: { commands } });

describe('H17', () => {
  test('all well', async () => {
    expect(calls(await run({}))).toEqual(['flight', 'car', 'pay', 'okFlight', 'okCar', 'msgOk']);
  });

  test.each([
    ['flight', ['flight!', 'msgFail']],
    ['car', ['flight', 'car!', '~flight', 'msgFail']],
    ['pay', ['flight', 'car', 'pay!', '~car', '~flight', 'msgFail']],
    ['okFlight', ['flight', 'car', 'pay', 'okFlight!', '~pay', '~car', '~flight', 'msgFail']],
    ['okCar', ['flight', 'car', 'pay', 'okFlight', 'okCar!', '~pay', '~car', '~flight', 'msgFail']],
  ])('a business error at %s is tried once and takes back what was done', async (failing, expected) => {
    const done = await run({ [failing]: business });
    expect(calls(done)).toEqual(expected);
    expect(done).toMatchObject({ state: 'failed', error: { type: 'NOT_BOOKED', message: `BUSINESS at ${failing}` } });
  });

  test('an infrastructure error is tried seven times with doubling waits', async () => {
    const done = await run({ car: infrastructure });
    expect(calls(done)).toEqual(['flight', 'car×7!', '~flight', 'msgFail']);
    expect(took(done)).toBe(2 + 4 + 8 + 16 + 32 + 64);
  });

  test('a refund that never succeeds does not stop the others, and the first error stays the cause', async () => {
    const done = await run({ okFlight: business, refund: infrastructure });
    expect(calls(done)).toEqual(['flight', 'car', 'pay', 'okFlight!', '~pay×7!', '~car', '~flight', 'msgFail']);
    expect(done.error).toMatchObject({ message: expect.stringContaining('BUSINESS at okFlight') as string });
    expect(done.commands.find(({ nodeId, undoes }) => nodeId === 'pay' && undoes === undefined)?.state).toBe('success');
  });
});
