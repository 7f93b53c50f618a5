/** H21 (g): the same card twice within a second, where a definition lets one run be open per station and card. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../activities/index.ts';
import type { ActionNode, Definition, Template } from '../../definitions/types.ts';
import { expectOneAtATime, spansOf, until } from '../client/keyed.ts';
import { uniqueName } from '../setup/temporal.ts';
import { openStage, type Stage } from './stage.ts';

/** Cards with a session, as the station's server has them. */
const sessions = new Set<string>();
const card = z.object({ card: z.string() });
const lookup = defineCommand({
  type: 'lookup',
  input: card,
  output: z.object({ open: z.boolean() }),
  execute: ({ card: id }) => ({ open: sessions.has(id) }),
});
const change = defineCommand({
  type: 'change',
  input: card.extend({ to: z.enum(['start', 'end']) }),
  output: z.null(),
  execute({ card: id, to }) {
    if (to === 'start') sessions.add(id);
    else sessions.delete(id);
    return null;
  },
});

const payload = { card: '${event.data.card}' };
function step(id: string, command: string, given: Template, nextNodeId?: string): ActionNode {
  const node = { id, type: 'action', config: { command, payload: given } } as const;
  return nextNodeId === undefined ? node : { ...node, nextNodeId };
}

const charging: Definition = {
  id: 'charging',
  trigger: { event: 'card.scanned' },
  key: { value: { station: '${event.data.station}', card: '${event.data.card}' }, onConflict: 'queue' },
  nodes: [
    step('look', 'lookup', payload, 'busy'),
    {
      id: 'busy',
      type: 'condition',
      config: { expression: 'nodes.look.output.open' },
      nextNodeId: 'end',
      fallbackNodeId: 'cable',
    },
    // Long enough that the second scan would still find no session, if it did not wait.
    { id: 'cable', type: 'delay', config: { duration: '1s' }, nextNodeId: 'start' },
    step('start', 'change', { ...payload, to: 'start' }, 'noteStart'),
    step('noteStart', 'ledger', { name: 'start' }),
    step('end', 'change', { ...payload, to: 'end' }, 'noteEnd'),
    step('noteEnd', 'ledger', { name: 'end' }),
  ],
};

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ commands: [lookup, change] });
  await stage.fermata.definitions.publish(charging);
});
afterAll(() => stage.close());

test('the second scan waits for the first, and then ends the session that the first one started', async () => {
  const scan = (id: string) =>
    stage.fermata.events.publish({
      id,
      type: 'card.scanned',
      source: '/station/7',
      data: { station: '7', card: 'C-1' },
    });
  const [one, two] = [uniqueName('scan'), uniqueName('scan')];
  const answers = await Promise.all([scan(one), scan(two)]);
  const runs = answers.flatMap((answer) => answer.runs);
  expect(runs.map(({ status }) => status).sort()).toEqual(['queued', 'started']);
  const first = runs.find(({ status }) => status === 'started')?.runId as string;
  const second = runs.find(({ status }) => status === 'queued')?.runId as string;
  const walked = async (runId: string) =>
    (await until(stage.fermata, runId, 'completed')).trace.map(({ nodeId }) => nodeId);
  expect(await walked(first)).toEqual(['look', 'busy', 'cable', 'start', 'noteStart']);
  expect(await walked(second)).toEqual(['look', 'busy', 'end', 'noteEnd']);
  expectOneAtATime(await spansOf(stage.client, [first, second]));
  const effects = [...(await stage.ledger.of(first)), ...(await stage.ledger.of(second))];
  expect(effects.map(({ name, attempts }) => [name, attempts])).toEqual([
    ['start', 1],
    ['end', 1],
  ]);
  const other = await scan(one);
  expect(other.runs).toEqual(answers[0]?.runs);
});
