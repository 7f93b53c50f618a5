import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import type { Definition, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';

const SIZE = 6;
const nodeId = fc.integer({ min: 0, max: SIZE - 1 }).map((n) => `n${n}`);
const command = fc.constantFrom('a', 'b', 'c');
const short = fc.integer({ min: 1, max: 30 }).map((n) => `${n}s`);

const undo = fc.oneof(
  fc.constant(false),
  fc.constant(true),
  command.map((undoing) => ({ command: undoing })),
);

const body = fc.oneof(
  fc.record({ type: fc.constant('action'), config: fc.record({ command, undo, timeout: short }) }),
  fc.record({
    type: fc.constant('condition'),
    config: fc.record({ expression: fc.constantFrom('vars.n < 2', 'vars.n % 2 == 0', 'true') }),
  }),
  fc.record({ type: fc.constant('assign'), config: fc.constant({ vars: { n: '${vars.n + 1}' } }) }),
  fc.record({ type: fc.constant('delay'), config: fc.record({ duration: short }) }),
  fc.record({
    type: fc.constant('approval'),
    config: fc.record({ timeout: short, quorum: fc.integer({ min: 1, max: 2 }) }),
  }),
  fc.record({
    type: fc.constant('end'),
    config: fc.record({ status: fc.constantFrom('completed', 'failed', 'cancelled') }),
  }),
);

/** Any graph of nodes: jumps forwards and backwards, errors caught or not. */
const anyDefinition: fc.Arbitrary<Definition> = fc
  .record({
    nodes: fc.array(
      fc.record({
        body,
        links: fc.record({ nextNodeId: nodeId, fallbackNodeId: nodeId }, { requiredKeys: [] }),
        caught: fc.option(nodeId, { nil: undefined }),
      }),
      { minLength: SIZE, maxLength: SIZE },
    ),
    // Half seconds: at no moment at which anything else is due.
    timeout: fc.option(
      short.map((seconds) => `${seconds}500ms`),
      { nil: undefined },
    ),
  })
  .map(({ nodes, timeout }) => ({
    id: 'any',
    vars: { n: 0 },
    ...(timeout === undefined ? {} : { timeout }),
    nodes: nodes.map(({ body: { type, config }, links, caught }, index) => ({
      id: `n${index}`,
      type,
      config,
      maxVisits: 3,
      ...(type === 'end' ? {} : links),
      ...(type !== 'action' || caught === undefined ? {} : { catch: [{ errors: ['BUSY'], nextNodeId: caught }] }),
    })) as unknown as Node[],
  }));

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
  if (document.state === 'completed') expect(undone).toEqual([]);
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
