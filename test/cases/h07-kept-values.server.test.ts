/** Case H07 where values are kept outside the history, as workers do unless they are told otherwise. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../activities/index.ts';
import type { Definition, Node } from '../../definitions/types.ts';
import { eventsWith } from './conclude.ts';
import { openStage, type Stage } from './stage.ts';

/** A text that no other call gives. */
const numbered = defineCommand({
  type: 'numbered',
  input: z.object({ n: z.number(), bytes: z.number() }),
  output: z.string(),
  execute: ({ n, bytes }) => `${n}:`.padEnd(bytes, 'x'),
});

/** What reached the handler, in few bytes. */
const weigh = defineCommand({
  type: 'weigh',
  input: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  output: z.object({ characters: z.number(), begins: z.array(z.string()) }),
  execute(input) {
    const texts = Object.values(input).flat();
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    return { characters, begins: texts.map((text) => text.slice(0, text.indexOf(':'))) };
  },
});

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ commands: [numbered, weigh] });
});
afterAll(() => stage.close());

const make = (id: string, n: number, bytes: number): Node => ({
  id,
  type: 'action',
  config: { command: 'numbered', payload: { n, bytes } },
});
const weighed = (id: string, payload: { readonly [name: string]: string }): Node => ({
  id,
  type: 'action',
  config: { command: 'weigh', payload },
});
/** Of nodes one after the other. */
const chain = (nodes: readonly Node[], more: Partial<Definition> = {}): Definition => ({
  id: 'h07',
  nodes: nodes.map((node, index) => ({
    ...node,
    ...(nodes[index + 1] ? { nextNodeId: nodes[index + 1]?.id } : {}),
  })) as Node[],
  ...more,
});
/** The largest thing that a history holds. */
const largestEvent = (histories: Parameters<typeof eventsWith>[0]): number =>
  Math.max(...histories.flatMap(({ events }) => (events ?? []).map((event) => JSON.stringify(event).length)));

describe('H07', () => {
  test('(a) an output of 3 MB completes, reaches the next handler whole, and its history stays small', async () => {
    const nodes = [make('read', 1, 3_000_000), weighed('write', { text: '${nodes.read.output}' })];
    const { document, histories } = await stage.conclude(await stage.start(chain(nodes)));
    expect(document).toMatchObject({
      state: 'completed',
      output: { characters: 3_000_000, begins: ['1'] },
      commands: [{ result: { bytes: 3_000_002 } }, { command: { payload: { text: { bytes: 3_000_002 } } } }],
    });
    expect(largestEvent(histories)).toBeLessThan(20_000);
  });

  test('(b) arguments that add up to 2.5 MB reach the handler', async () => {
    const parts = Array.from({ length: 10 }, (_, index) => make(`part${index}`, index, 250_000));
    const payload = Object.fromEntries(parts.map(({ id }) => [id, `\${nodes.${id}.output}`]));
    const { document } = await stage.conclude(await stage.start(chain([...parts, weighed('all', payload)])));
    expect(document).toMatchObject({
      state: 'completed',
      output: { characters: 2_500_000, begins: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] },
    });
  });

  test('(d) four branches are each handed 1.2 MB in the same step', async () => {
    const branches = [1, 2, 3, 4].map((n) => ({
      id: `b${n}`,
      nodes: [weighed(`work${n}`, { text: '${nodes.read.output}' })],
    }));
    const fork: Node = { id: 'fork', type: 'parallel', config: { branches } };
    const { document } = await stage.conclude(await stage.start(chain([make('read', 7, 1_200_000), fork])));
    const each = { characters: 1_200_000, begins: ['7'] };
    expect(document).toMatchObject({ state: 'completed', output: { b1: each, b2: each, b3: each, b4: each } });
  });

  test('(e) thirty outputs of 200 kB are kept as variables over several histories', async () => {
    const definition: Definition = {
      id: 'h07',
      vars: { kept: [] },
      nodes: [
        {
          id: 'more',
          type: 'condition',
          config: { expression: 'size(vars.kept) < 30' },
          nextNodeId: 'make',
          fallbackNodeId: 'all',
        },
        {
          id: 'make',
          type: 'action',
          config: { command: 'numbered', payload: { n: '${size(vars.kept)}', bytes: 200_000 } },
          nextNodeId: 'keep',
        },
        {
          id: 'keep',
          type: 'assign',
          config: { vars: { kept: '${vars.kept + [nodes.make.output]}' } },
          nextNodeId: 'more',
        },
        weighed('all', { texts: '${vars.kept}' }),
      ],
    };
    const { document, histories } = await stage.conclude(await stage.start(definition, { rolloverEvents: 50 }));
    expect(histories.length).toBeGreaterThan(1);
    expect(document).toMatchObject({
      state: 'completed',
      output: { characters: 6_000_000, begins: Array.from({ length: 30 }, (_, index) => String(index)) },
    });
    expect(largestEvent(histories)).toBeLessThan(60_000);
  });

  test('a local command gives and takes large values as any other', async () => {
    const local = (node: Node): Node => ({ ...node, config: { ...node.config, local: true } }) as Node;
    const nodes = [local(make('read', 3, 3_000_000)), local(weighed('write', { text: '${nodes.read.output}' }))];
    const { document, histories } = await stage.conclude(await stage.start(chain(nodes)));
    expect(document).toMatchObject({ state: 'completed', output: { characters: 3_000_000, begins: ['3'] } });
    expect(eventsWith(histories, 'activityTaskScheduledEventAttributes')).toEqual([]);
  });

  test('an expression that looks inside fails its node, and says what to do', async () => {
    const look: Node = { id: 'look', type: 'condition', config: { expression: 'nodes.read.output.startsWith("1:")' } };
    const { document } = await stage.conclude(await stage.start(chain([make('read', 1, 3_000_000), look])));
    expect(document).toMatchObject({ state: 'failed', error: { type: 'EXPRESSION_ERROR', nodeId: 'look' } });
    expect(document.error?.message).toContain('kept outside the history (3000002 bytes)');
  });

  test('a list kept outside is no list of items', async () => {
    const each: Node = {
      id: 'each',
      type: 'forEach',
      config: { items: 'nodes.read.output', nodes: [weighed('one', {})] },
    };
    const { document } = await stage.conclude(await stage.start(chain([make('read', 1, 3_000_000), each])));
    expect(document).toMatchObject({ state: 'failed', error: { type: 'EXPRESSION_ERROR', nodeId: 'each' } });
    expect(document.error?.message).toContain('kept outside the history (3000002 bytes)');
  });

  test.each<[string, Node, number]>([
    ['an event', { id: 'send', type: 'emit', config: { event: 'h07.read', data: '${nodes.read.output}' } }, 3_000_002],
    [
      'a run',
      { id: 'send', type: 'workflow', config: { definitionId: 'h07-child', input: '${nodes.read.output}' } },
      3_000_002,
    ],
    [
      'a hand-written workflow',
      { id: 'send', type: 'workflow', config: { workflowType: 'byHand', input: '${nodes.read.output}' } },
      3_000_002,
    ],
  ])('%s takes no more along than it can hold', async (_, node, bytes) => {
    await stage.fermata.definitions.publish({ id: 'h07-child', nodes: [make('one', 1, 10)] });
    const { document } = await stage.conclude(await stage.start(chain([make('read', 1, 3_000_000), node])));
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'PAYLOAD_TOO_LARGE', nodeId: 'send', details: { bytes } },
    });
  });
});
