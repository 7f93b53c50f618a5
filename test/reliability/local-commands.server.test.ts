/** What runs decide while `local` commands run side by side reads the same on replay: times, order, winners, ways. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CANCEL, DECIDE } from '../../definitions/wire.ts';
import type { Definition } from '../../definitions/types.ts';
import { type Handle, openStage, type Stage } from '../cases/stage.ts';
import { uniqueName } from '../setup/temporal.ts';
import { CASES, TO_CANCEL, work } from './local-commands.ts';

const RUNS = 10;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ commands: [work] });
});
afterAll(() => stage.close());

describe('local commands side by side', () => {
  test.each(Object.entries(CASES))('%s: a run and its replay tell the same', async (_, what) => {
    const handles = await Promise.all(Array.from({ length: RUNS }, () => start(what)));
    if (JSON.stringify(what).includes('approval')) await Promise.all(handles.map(vote));
    for (const handle of handles) {
      const { records, document } = await stage.conclude(handle, { withinMs: 3000 });
      const last = records.findLast((record) => record.kind === 'state');
      expect(last?.output).toEqual(await handle.result());
      expect(document.state).toBe('completed');
    }
  });
});

test('a run that is cancelled while local commands are under way undoes what they did, alike on replay', async () => {
  const handles = await Promise.all(Array.from({ length: RUNS }, () => start(TO_CANCEL)));
  await Promise.all(handles.map((handle) => handle.signal(CANCEL, { reason: 'a test' })));
  for (const handle of handles) {
    const { document } = await stage.conclude(handle, { withinMs: 3000 });
    expect(document.state).toBe('cancelled');
    const undone = document.commands.filter(({ undoes }) => undoes).map(({ undoes }) => undoes);
    const done = document.commands.filter(({ nodeId, state }) => nodeId.startsWith('u') && state === 'rolled_back');
    expect(undone).toEqual(done.map(({ command }) => command.id).reverse());
  }
});

function vote(handle: Handle): Promise<void> {
  return handle.signal(DECIDE, { nodeId: 'vote', outcome: 'approved', by: { id: 'ada', roles: [] } });
}

/** A short workflow task, so that local commands outlive it. */
function start(what: Definition) {
  const id = `${what.id}/${uniqueName('case')}`;
  const definition = { id: what.id, version: 1, hash: what.id, document: what, handlers: {} };
  const run = { id, tenant: 'default', initiator: { id: 'test', kind: 'user' as const }, entity: null };
  return stage.client.workflow.start(what.id, {
    workflowId: id,
    taskQueue: stage.taskQueue,
    workflowTaskTimeout: '3s',
    args: [{ definition, input: null, event: null, run }],
  });
}
