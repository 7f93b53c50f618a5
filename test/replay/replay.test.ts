/**
 * The histories of every release still replay, with the same commands, the same arguments and the same end.
 *
 * `scripts/record-histories.ts` makes them. A change that breaks one needs a patch (`workflows/patches.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect, test } from 'vitest';
import type { Definition, NodeType } from '../../definitions/types.ts';
import { allNodes } from '../../definitions/all-nodes.ts';
import { type RecordedHistory, replayHistories } from '../../testing/index.ts';
import { workflowBundlePath } from '../../workers/bundle.ts';
import { openReplayer } from '../../workers/replayer.ts';
import { nodeTypes } from '../../workflows/nodes/index.ts';
import { replayCuts, storyOf } from './cuts.ts';

interface RawEvent {
  readonly activityTaskScheduledEventAttributes?: {
    activityId: string;
    readonly input: { readonly payloads: { data: string }[] };
  };
  readonly workflowExecutionStartedEventAttributes?: {
    readonly workflowId: string;
    readonly input: { readonly payloads: { readonly data: string }[] };
  };
}
type RawHistory = { readonly events: readonly RawEvent[] };

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.history.json'))
  .sort();

function load(file: string): RecordedHistory & { readonly history: RawHistory } {
  const history = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RawHistory;
  const started = history.events[0]?.workflowExecutionStartedEventAttributes;
  return { workflowId: started?.workflowId ?? '', history };
}

const decoded = (data: string): unknown => JSON.parse(Buffer.from(data, 'base64').toString());

describe('recorded histories', () => {
  test('replay with the same commands, the same arguments and the same end', async () => {
    const replayed = await replayHistories(files.map(load));
    for (const [index, { error, differences }] of replayed.entries()) {
      expect({ file: files[index], error, differences }).toEqual({ file: files[index], error: null, differences: [] });
    }
  }, 60_000);

  test('tell the same story wherever they are cut, on three workers that have seen nothing', async () => {
    const code = await readFile(await workflowBundlePath(), 'utf8');
    const recorded = files
      .map(load)
      .map(({ workflowId, history }) => ({ workflowId, history: historyFromJSON(history) }));
    const replayers = [openReplayer(code), openReplayer(code), openReplayer(code)] as const;
    let cuts = 0;
    for (const { workflowId, history } of recorded) {
      const [story, ...others] = await Promise.all(replayers.map((one) => storyOf(one, workflowId, history)));
      for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(story));
      cuts += await replayCuts(replayers[0], { workflowId, history });
    }
    for (const replayer of replayers) await replayer.close();
    expect(cuts).toBeGreaterThan(files.length);
  }, 120_000);

  test('are there for every node type that this release runs', () => {
    const types = new Set<NodeType>();
    for (const file of files) {
      const [start] = load(file).history.events;
      const input = start?.workflowExecutionStartedEventAttributes?.input.payloads[0]?.data ?? 'e30=';
      const { definition } = decoded(input) as { definition?: { document: Definition } };
      for (const node of allNodes(definition?.document.nodes ?? [])) types.add(node.type);
    }
    expect([...types].sort()).toEqual(Object.keys(nodeTypes).sort());
  });

  test('show a command whose argument would be another today, which Temporal alone does not see', async () => {
    const { workflowId, history } = load(files.find((file) => file.endsWith('/lead-onboarding.history.json')) ?? '');
    const changed = structuredClone(history);
    const [scheduled] = changed.events.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
    const [payload] = scheduled?.input.payloads ?? [];
    if (payload === undefined) throw new Error('the history has no command');
    payload.data = Buffer.from('{"leadId":"L-1001","team":"starters"}').toString('base64');
    const [replayed] = await replayHistories([{ workflowId, history: changed }]);
    expect(replayed).toMatchObject({
      error: null,
      differences: [
        { at: 'assign/1', recorded: { team: 'starters' }, replayed: { leadId: 'L-1001', team: 'enterprise' } },
      ],
    });
  }, 60_000);

  test('show a walk that goes another way, and the ones after it are replayed all the same', async () => {
    const [first, ...others] = files.slice(0, 3).map(load);
    const changed = structuredClone(first?.history);
    const [scheduled] = changed?.events.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []) ?? [];
    if (scheduled === undefined) throw new Error('the history has no command');
    scheduled.activityId = 'another/1';
    const replayed = await replayHistories([{ workflowId: first?.workflowId ?? '', history: changed }, ...others]);
    expect(replayed.map(({ error }) => error === null)).toEqual([false, true, true]);
    expect(String(replayed[0]?.error)).toContain('another/1');
  }, 60_000);
});
