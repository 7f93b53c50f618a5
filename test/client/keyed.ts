/** Builders and looks of tests about keys. */
import { expect, vi } from 'vitest';
import type { Client } from '@temporalio/client';
import type { Fermata, RunDocument } from '../../client/index.ts';
import type { Definition, KeyPolicy } from '../../definitions/types.ts';

/** Holds its key until somebody decides: `<id>/gate`. */
export function gated(id: string, onConflict: KeyPolicy, more: Partial<Definition> = {}): Definition {
  return {
    id,
    key: { value: '${input.station}', onConflict },
    nodes: [{ id: 'gate', type: 'approval', config: { title: 'Go on?', assignees: { users: ['ann'] } } }],
    ...more,
  };
}

/** Lets a run of {@link gated} end. */
export async function open(fermata: Fermata, runId: string): Promise<void> {
  const taskId = `${runId}/gate/1`;
  await vi.waitFor(() => fermata.approvals.decide(taskId, { outcome: 'approved', by: { id: 'ann' } }), {
    timeout: 20_000,
    interval: 50,
  });
}

export async function until(fermata: Fermata, runId: string, state: RunDocument['state']): Promise<RunDocument> {
  return await vi.waitFor(
    async () => {
      const run = await fermata.runs.show(runId);
      expect(run).toMatchObject({ state });
      return run;
    },
    { timeout: 30_000, interval: 50 },
  );
}

export interface Span {
  readonly runId: string;
  readonly from: number;
  readonly to: number;
}

/** When Temporal had the runs open, in order of their begin. */
export async function spansOf(client: Client, runIds: readonly string[]): Promise<readonly Span[]> {
  const spans = await Promise.all(
    runIds.map(async (runId) => {
      const { raw } = await client.workflow.getHandle(runId).describe();
      const { executionTime, startTime, closeTime } = raw.workflowExecutionInfo ?? {};
      return { runId, from: msOf(executionTime ?? startTime), to: closeTime ? msOf(closeTime) : Infinity };
    }),
  );
  return spans.sort((one, other) => one.from - other.from);
}

/** No two of them were open at once. */
export function expectOneAtATime(spans: readonly Span[]): void {
  const overlaps = spans.slice(1).filter((span, index) => span.from < (spans[index]?.to ?? 0));
  expect(overlaps).toEqual([]);
}

function msOf(time: { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6;
}
