/** Case H04 (v) on servers: no child is open afterwards, and every history replays. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { FAILING, fork, lastFailure } from './h04-sub-workflow.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.fermata.definitions.publish(FAILING);
});
afterAll(() => stage.close());

/** Concludes the run and each that it began. */
async function play(definition: Definition) {
  const handle = await stage.start(definition);
  const { document } = await stage.conclude(handle);
  for (const { runId } of document.children ?? []) {
    const child = await stage.client.workflow.getHandle(runId).describe();
    const firstExecutionRunId = child.raw.workflowExecutionInfo?.firstRunId ?? '';
    const concluded = await stage.conclude({ workflowId: runId, firstExecutionRunId });
    expect(concluded.document).toMatchObject({ state: 'failed', error: { type: 'NO_STOCK' } });
  }
  return { runId: handle.workflowId, document };
}

describe('H04 (v)', () => {
  test('fail fast: the run fails with the last attempt', async () => {
    const { runId, document } = await play(fork('fast', 'all', false));
    expect(document).toMatchObject({ state: 'failed', error: lastFailure(runId) });
    expect(document.children).toHaveLength(3);
    const cancelled = document.trace.filter(({ error }) => error?.type === 'CANCELLED');
    expect(cancelled.map(({ nodeId }) => nodeId).sort()).toEqual(['D', 'F']);
  });

  test('collect all: the report sees the status of each branch', async () => {
    const { runId, document } = await play(fork('all', 'settled', false));
    expect(document).toMatchObject({ state: 'completed', output: { output: { two: { error: lastFailure(runId) } } } });
  });

  test('optional: the run completes, with the error in the details of the fork', async () => {
    const { runId, document } = await play(fork('optional', 'all', true));
    expect(document).toMatchObject({ state: 'completed', output: { error: { details: { two: lastFailure(runId) } } } });
  });

  test('a run that goes on in fresh histories between its children begins each of them once', async () => {
    const handle = await stage.start(fork('often', 'settled', false), { rolloverEvents: 10 });
    const { document, histories } = await stage.conclude(handle);
    expect(histories.length).toBeGreaterThan(1);
    expect(document).toMatchObject({ state: 'completed', output: { output: { two: { status: 'failed' } } } });
    expect(document.children).toHaveLength(3);
  });
});
