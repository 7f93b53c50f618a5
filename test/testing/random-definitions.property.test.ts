import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { anyDefinition, nodeId, short } from './any-definition.ts';

const reply = fc.oneof(
  fc.record({ output: fc.constant({ ok: true }), takes: short }),
  fc.record({ error: fc.record({ type: fc.constantFrom('BUSY', 'GONE'), retryable: fc.boolean() }), takes: short }),
);
const replies = fc.array(reply, { minLength: 1, maxLength: 3 });
const after = fc.integer({ min: 0, max: 120 }).map((n) => `${n}s`);

const anyMocks: fc.Arbitrary<Mocks> = fc.record({
  commands: fc.record({ a: replies, b: replies, c: replies }),
  decisions: fc.array(
    fc.record({
      after,
      nodeId,
      outcome: fc.constantFrom('approved', 'rejected'),
      by: fc.record({ id: fc.constantFrom('ann', 'bob') }),
    }),
    { maxLength: 6 },
  ),
  cancels: fc.array(fc.record({ after }), { maxLength: 2 }),
});

function check(document: RunDocument): void {
  // Everything that these definitions can wait for ends by itself.
  expect(document.completedAt).not.toBeNull();
  expect(['completed', 'failed', 'cancelled']).toContain(document.state);
  expect(document.waiting).toEqual([]);
  for (const { outcome, startedAt, finishedAt } of document.trace) {
    expect(outcome).not.toBeNull();
    expect(Date.parse(finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(startedAt));
  }
  const ids = document.commands.map(({ commandId }) => commandId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { state, attempts } of document.commands) {
    expect(['success', 'failed', 'cancelled', 'rolled_back']).toContain(state);
    expect(attempts).toBeLessThanOrEqual(5);
  }
  const undone = document.commands.filter(({ undoes, state }) => undoes !== undefined && state === 'success');
  const rolledBack = document.commands.filter(({ state }) => state === 'rolled_back');
  expect(new Set(undone.map(({ undoes }) => undoes))).toEqual(new Set(rolledBack.map(({ commandId }) => commandId)));
}

describe('any definition with any mocks', () => {
  it('ends, tells a whole story, and goes the same way in one history as in many', async () => {
    await fc.assert(
      fc.asyncProperty(anyDefinition, anyMocks, fc.integer({ min: 1, max: 4 }), async (definition, mocks, rollover) => {
        const document = await simulate(definition, { mocks });
        check(document);
        expect(await simulate(definition, { mocks, rollover })).toEqual(document);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
