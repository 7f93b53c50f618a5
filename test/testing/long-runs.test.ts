import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { type SimulateOptions, simulate } from '../../testing/simulate.ts';
import { DEFINITIONS } from './definitions.ts';

describe('long runs', () => {
  const counting: Definition = {
    id: 'counting',
    vars: { n: 0 },
    output: '${vars.n}',
    nodes: [
      {
        id: 'more',
        type: 'condition',
        config: { expression: 'vars.n < 12000' },
        nextNodeId: 'count',
        maxVisits: 20_000,
      },
      {
        id: 'count',
        type: 'action',
        config: { command: 'count', payload: '${vars.n}' },
        nextNodeId: 'keep',
        maxVisits: 20_000,
      },
      { id: 'keep', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'more', maxVisits: 20_000 },
    ],
  };

  it('twelve thousand turns of a loop with a command are walked in seconds', async () => {
    const document = await simulate(counting);
    expect(document).toMatchObject({ state: 'completed', output: 12_000 });
    expect(new Set(document.commands.map(({ commandId }) => commandId)).size).toBe(12_000);
    expect(document.trace).toHaveLength(36_001);
  }, 30_000);

  it('a loop without any effect is walked too, and takes no time', async () => {
    const [more, , keep] = counting.nodes;
    const nodes = [{ ...more, nextNodeId: 'keep' }, keep] as Definition['nodes'];
    const document = await simulate({ ...counting, nodes });
    expect(document).toMatchObject({ state: 'completed', output: 12_000, completedAt: document.startedAt });
  });

  it('a run that rolls over after every few steps goes the same way', async () => {
    expect(await simulate(counting, { rollover: 1000 })).toEqual(await simulate(counting));
  }, 60_000);
});

describe('a run that goes on in a fresh history', () => {
  for (const [name, { definition, options }] of Object.entries(DEFINITIONS)) {
    it(`at every safe point gives the same document: ${name}`, async () => {
      const whole = await simulate(definition, options);
      expect(await simulate(definition, { ...options, rollover: 1 })).toEqual(whole);
      expect(await simulate(definition, { ...options, rollover: 2 })).toEqual(whole);
      expect(await simulate(definition, { ...options, rollover: 3 })).toEqual(whole);
    });
  }

  it('must have walked at least one step in the one before', async () => {
    const definition = DEFINITIONS['approval in time']?.definition as Definition;
    await expect(simulate(definition, { rollover: 0 })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('gives the same document for any mocks', async () => {
    const { definition } = DEFINITIONS['rework loop'] as { definition: Definition };
    await fc.assert(
      fc.asyncProperty(anyMocks, fc.integer({ min: 1, max: 5 }), async (mocks, rollover) => {
        const options: SimulateOptions = { mocks };
        expect(await simulate(definition, { ...options, rollover })).toEqual(await simulate(definition, options));
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

const duration = fc.integer({ min: 0, max: 20 }).map((n) => `${n}s`);
const anyReply = fc.oneof(
  fc.record({ output: fc.constant({ ok: true }), takes: duration }),
  fc.record({
    error: fc.record({ type: fc.constantFrom('BUSY', 'REFUSED'), retryable: fc.boolean() }),
    takes: duration,
  }),
);
const anyMocks: fc.Arbitrary<Mocks> = fc.record({
  commands: fc.record({
    draft: fc.array(anyReply, { minLength: 1, maxLength: 4 }),
    publish: fc.array(anyReply, { minLength: 1, maxLength: 4 }),
  }),
  decisions: fc.array(
    fc.record({
      after: duration,
      nodeId: fc.constant('review'),
      outcome: fc.constantFrom('approved', 'rejected', 'nonsense'),
      by: fc.record({ id: fc.constantFrom('ann', 'bob') }),
    }),
    { maxLength: 5 },
  ),
  cancels: fc.array(fc.record({ after: duration }), { maxLength: 1 }),
});
