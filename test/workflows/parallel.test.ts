/** Branches side by side: joins, losers, optional branches, shared variables. */
import { describe, expect, test } from 'vitest';
import type { Branch, Definition, Join, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';

const action = (id: string, more: Partial<Node> = {}): Node =>
  ({ id, type: 'action', config: { command: id, retry: { maxAttempts: 1 } }, ...more }) as Node;

const fork = (branches: readonly Branch[], config: { join?: Join; shared?: string[] } = {}): Definition => ({
  id: 'fork',
  nodes: [{ id: 'fork', type: 'parallel', config: { branches, ...config } }],
});

const branch = (id: string, ...nodes: readonly Node[]): Branch => ({ id, nodes });
const ok = (output: string, takes = '0s') => ({ output, takes });
const fault = (type: string, takes = '0s') => ({ error: { type, retryable: false }, takes });

/** The same in one history, and with a fresh one at every safe point. */
async function run(definition: Definition, mocks: Mocks = {}) {
  const whole = await simulate(definition, { mocks });
  const broken = await simulate(definition, { mocks, rollover: 1 });
  expect(broken).toEqual(whole);
  return whole;
}

const seconds = (document: { startedAt: string; completedAt: string | null }): number =>
  (Date.parse(document.completedAt ?? '') - Date.parse(document.startedAt)) / 1000;

describe('join all', () => {
  const three = [branch('a', action('x')), branch('b', action('y')), branch('c', action('z'))];

  test('waits for all branches and gives their outputs by branch', async () => {
    const done = await run(fork(three), { commands: { x: ok('X', '3s'), y: ok('Y', '1s'), z: ok('Z', '2s') } });
    expect(done).toMatchObject({ state: 'completed', output: { a: 'X', b: 'Y', c: 'Z' } });
    expect(seconds(done)).toBe(3);
    expect(done.commands.map((command) => command.commandId)).toEqual(
      ['fork/simulation/a/x/1', 'fork/simulation/b/y/1', 'fork/simulation/c/z/1'].map((id) =>
        id.replace('fork/simulation', done.runId),
      ),
    );
  });

  test('the first error cancels the others and names its branch', async () => {
    const done = await run(fork(three), { commands: { x: ok('X', '1s'), y: fault('BROKEN', '2s'), z: ok('Z', '9s') } });
    expect(done).toMatchObject({
      state: 'failed',
      error: { type: 'BROKEN', nodeId: 'y', path: 'b/', details: { completed: { a: 'X' } } },
    });
    expect(seconds(done)).toBe(2);
    expect(done.commands.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['x', 'success'],
      ['y', 'failed'],
      ['z', 'cancelled'],
    ]);
  });

  test('an optional branch that fails gives null, and its error is not lost', async () => {
    const definition: Definition = {
      ...fork([branch('a', action('x')), { ...branch('b', action('y')), optional: true }]),
      output: '${nodes.fork}',
    };
    const done = await run(definition, { commands: { x: ok('X'), y: fault('BROKEN') } });
    expect(done).toMatchObject({
      state: 'completed',
      output: { output: { a: 'X', b: null }, outcome: 'success', error: { details: { b: { type: 'BROKEN' } } } },
    });
  });

  test('a branch whose condition takes an empty path completes', async () => {
    const empty: Node = { id: 'maybe', type: 'condition', config: { expression: 'false' }, nextNodeId: 'y' };
    const done = await run(fork([branch('a', action('x')), branch('b', empty, action('y'))]));
    expect(done).toMatchObject({ state: 'completed', output: { a: {}, b: null } });
  });
});

describe('other joins', () => {
  const three = [branch('a', action('x')), branch('b', action('y')), branch('c', action('z'))];
  const mixed: Mocks = { commands: { x: fault('BROKEN', '1s'), y: ok('Y', '2s'), z: ok('Z', '3s') } };

  test('settled waits for all and is never an error', async () => {
    const done = await run(fork(three, { join: 'settled' }), mixed);
    expect(done.output).toMatchObject({
      a: { status: 'failed', output: null, error: { type: 'BROKEN', nodeId: 'x', path: 'a/' } },
      b: { status: 'completed', output: 'Y', error: null },
      c: { status: 'completed', output: 'Z', error: null },
    });
    expect(seconds(done)).toBe(3);
  });

  test('any takes the first success, and the losers are cancelled', async () => {
    const done = await run(fork(three, { join: 'any' }), mixed);
    expect(done).toMatchObject({ state: 'completed', output: { b: 'Y' } });
    expect(seconds(done)).toBe(2);
  });

  test('first takes the first to end, also when that is an error', async () => {
    const done = await run(fork(three, { join: 'first' }), mixed);
    expect(done).toMatchObject({ state: 'failed', error: { type: 'BROKEN', nodeId: 'x' } });
    expect(seconds(done)).toBe(1);
  });

  test('a count goes on at its nth success', async () => {
    const done = await run(fork(three, { join: { count: 2 } }), mixed);
    expect(done.output).toMatchObject({ a: { status: 'failed' }, b: { output: 'Y' }, c: { output: 'Z' } });
  });

  test('a count that cannot be reached any more ends at once', async () => {
    const done = await run(fork(three, { join: { count: 3 } }), mixed);
    expect(done).toMatchObject({ state: 'failed', error: { type: 'COUNT_UNREACHABLE', cause: { type: 'BROKEN' } } });
    expect(seconds(done)).toBe(1);
  });
});

describe('scopes of branches', () => {
  const assign = (id: string, vars: { [name: string]: string | number }, nextNodeId?: string): Node => ({
    id,
    type: 'assign',
    config: { vars },
    ...(nextNodeId === undefined ? {} : { nextNodeId }),
  });

  test('a branch has variables of its own; shared ones are written through', async () => {
    const definition: Definition = {
      ...fork(
        [
          branch('a', assign('one', { t: 1, n: '${vars.n + 1}' })),
          branch('b', assign('two', { t: 2, n: '${vars.n + 2}' })),
        ],
        { shared: ['n'] },
      ),
      vars: { n: 0 },
      output: '${vars}',
    };
    expect((await run(definition)).output).toEqual({ n: 3 });
  });

  test('an inner node sees outer results, and is not seen outside', async () => {
    const definition: Definition = {
      id: 'fork',
      nodes: [
        action('before', { nextNodeId: 'fork' }),
        {
          id: 'fork',
          type: 'parallel',
          config: { branches: [{ ...branch('a', action('x')), output: '${nodes.before.output + nodes.x.output}' }] },
        },
      ],
    };
    const done = await run(definition, { commands: { before: ok('B'), x: ok('X') } });
    expect(done).toMatchObject({ output: { a: 'BX' } });
  });

  test('end inside a branch ends the run, and open branches are cancelled', async () => {
    const end: Node = { id: 'stop', type: 'end', config: { output: 'enough' } };
    const done = await run(fork([branch('a', action('x', { nextNodeId: 'stop' }), end), branch('b', action('y'))]), {
      commands: { x: ok('X', '1s'), y: ok('Y', '1h') },
    });
    expect(done).toMatchObject({ state: 'completed', output: 'enough' });
    expect(seconds(done)).toBe(1);
  });

  test('a second visit of the fork gives its commands new ids', async () => {
    const definition: Definition = {
      id: 'fork',
      vars: { n: 0 },
      nodes: [
        {
          id: 'fork',
          type: 'parallel',
          config: { branches: [branch('a', action('x'))] },
          maxVisits: 9,
          nextNodeId: 'count',
        },
        assign('count', { n: '${vars.n + 1}' }, 'again'),
        { id: 'again', type: 'condition', config: { expression: 'vars.n < 2' }, nextNodeId: 'fork' },
      ],
    };
    const done = await run(definition);
    expect(done.commands.map(({ commandId }) => commandId.slice(done.runId.length))).toEqual(['/a/x/1', '/a.2/x/1']);
  });
});
