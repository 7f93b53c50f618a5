/** What the language reference says of runs that runs begin (section 4.4) is so. */
import type { Definition, Node } from 'fermata/definitions';
import { simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../definitions/limits.ts';
import { blocksOf } from './documents.ts';

const blocks = blocksOf('docs/language.md')
  .filter(({ language }) => language === 'json')
  .map(({ text }) => JSON.parse(text) as unknown);
const definition = (id: string): Definition => {
  const found = blocks.find((block) => (block as { id?: string }).id === id);
  if (found === undefined) throw new Error(`docs/language.md has no definition ${id}`);
  return found as Definition;
};
const [template, order] = [definition('ask-twice'), definition('big-order')];
const isLoop = (block: unknown): block is Node[] => Array.isArray(block) && (block[0] as Node).id === 'may_fail';
const loop = blocks.find(isLoop) ?? [];

const placed = { id: 'evt-1', type: 'order.placed', data: { id: 7, total: 2000, email: 'bob@example.com' } };
const approved = { nodeId: 'ask', outcome: 'approved', by: { id: 'ann' } };
const workflows = { shipOrder: { output: { parcel: 'P1' } } };
const play = (mocks: object) =>
  simulate(order, { event: placed, definitions: [template], mocks: { workflows, ...mocks } });

describe('the template of the language reference', () => {
  it('asks, asks again, and lets the order ship', async () => {
    const run = await play({ decisions: [{ after: '30h', ...approved }] });
    expect(run).toMatchObject({
      state: 'completed',
      output: { parcel: 'P1' },
      children: [
        { runId: 'ask-twice/big-order:evt-1:asked:1', state: 'completed', run: { parent: 'big-order/evt-1' } },
        { workflowType: 'shipOrder' },
      ],
    });
    const [asked] = run.children ?? [];
    expect(asked?.run?.commands.map(({ command }) => command.payload)).toEqual([
      { to: 'ann', text: 'Take the order 7?' },
      { to: 'ann', text: 'Take the order 7?' },
    ]);
  });

  it('gives up after two days, with its own error as the cause', async () => {
    const run = await play({});
    expect(run.commands.map(({ command }) => command.payload)).toEqual([
      { to: 'bob@example.com', text: expect.stringMatching(/^No: /) },
    ]);
    expect(run.children).toMatchObject([{ state: 'failed' }]);
  });
});

describe('its loop', () => {
  it('tries a child three times', async () => {
    const trying: Definition = { id: 'trying', vars: { failures: 0 }, nodes: loop };
    const failing = { 'ask-twice': { error: { type: 'NOBODY' } } };
    const run = await simulate(trying, { mocks: { workflows: failing } });
    expect(run).toMatchObject({ state: 'failed', error: { nodeId: 'last_try', cause: { type: 'NOBODY' } } });
    expect(run.children?.map(({ nodeId }) => nodeId)).toEqual(['try', 'try', 'last_try']);
  });
});

it('its depth is the limit', () => {
  expect(LIMITS.childDepth).toBe(50);
});
