import { readFile } from 'node:fs/promises';
import { Client, type WorkflowClientInterceptor } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../activities/define-command.ts';
import { workflowBundlePath } from '../../workers/bundle.ts';
import { reconcile } from '../../workers/reconciler.ts';
import { temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { expectOneAtATime, gated, open, spansOf, until } from './keyed.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
const undone: string[] = [];
const reserve = defineCommand({
  type: 'reserve',
  input: z.object({ station: z.string() }),
  output: z.null(),
  execute: () => null,
  rollback: ({ station }) => void undone.push(station),
});
const quick = { id: 'quick', type: 'assign', config: { vars: { done: true } } } as const;

beforeAll(async () => {
  bench = await startClientBench({ commands: [reserve] });
  const { definitions } = bench.fermata;
  const byEvent = { trigger: { event: 'card.read' } };
  await definitions.publish(gated('rejecting', 'reject', byEvent));
  await definitions.publish(gated('joining', 'join', byEvent));
  await definitions.publish(gated('queueing', 'queue', byEvent));
  await definitions.publish(
    gated('replacing', 'replace', {
      nodes: [
        {
          id: 'reserve',
          type: 'action',
          config: { command: 'reserve', payload: { station: '${input.station}' }, undo: true },
          nextNodeId: 'gate',
        },
        ...gated('x', 'replace').nodes,
      ],
    }),
  );
  await definitions.publish({ id: 'short', key: { value: '${input.station}', onConflict: 'reject' }, nodes: [quick] });
});
afterAll(() => bench.stop());

/** What a worker does for runs that have been quiet for a minute. */
async function reconcileAll(): Promise<void> {
  const { store, temporal: client } = bench.fermata;
  const bundleCode = await readFile(await workflowBundlePath(), 'utf8');
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  await reconcile({ store, client, bundleCode, log }, { quietMs: 0 });
}

/** Its runs roll over after 20 events of a history. */
function rollsOverEarly({ connection }: Client): Client {
  const early: WorkflowClientInterceptor = {
    startWithDetails: (input, next) => {
      const [wire] = input.options.args as [object];
      return next({ ...input, options: { ...input.options, args: [{ ...wire, rolloverEvents: 20 }] } });
    },
  };
  return new Client({ connection, namespace: temporalNamespace(), interceptors: { workflow: [early] } });
}

const start = (definitionId: string, station: string) => bench.fermata.runs.start(definitionId, { input: { station } });

describe('"onConflict": "reject"', () => {
  it('refuses a start while another run has the key, names that run, and leaves no row', async () => {
    const { runs } = bench.fermata;
    const first = await start('rejecting', 'S-1');
    expect(first.status).toBe('started');
    const second = runs.start('rejecting', { input: { station: 'S-1' }, id: 'second' });
    await expect(second).rejects.toMatchObject({
      code: 'run.key_taken',
      retryable: true,
      details: { key: '"S-1"', holder: first.id },
    });
    expect((await start('rejecting', 'S-2')).status).toBe('started');
    await open(bench.fermata, first.id);
    await first.result();
    const third = await runs.start('rejecting', { input: { station: 'S-1' }, id: 'second' });
    expect(third.status).toBe('started');
  });

  it('lets whoever has seen the end of a run start the next at once', async () => {
    for (let round = 0; round < 10; round++) {
      const run = await start('short', 'S-1');
      expect(run.status).toBe('started');
      await run.result();
    }
  });
});

describe('"onConflict": "join"', () => {
  it('gives the run that has the key', async () => {
    const first = await start('joining', 'S-1');
    const second = await start('joining', 'S-1');
    expect(second).toMatchObject({ id: first.id, status: 'joined' });
    await open(bench.fermata, first.id);
    expect(await second.result()).toEqual(await first.result());
    expect(await start('joining', 'S-1')).toMatchObject({ status: 'started' });
  });
});

describe('"onConflict": "queue"', () => {
  it('begins runs one after the other in the order in which they came, and shows what each waits for', async () => {
    const { fermata } = bench;
    const runs = [await start('queueing', 'S-1'), await start('queueing', 'S-1'), await start('queueing', 'S-1')];
    const [first, second, third] = runs.map(({ id }) => id) as [string, string, string];
    expect(runs.map(({ status }) => status)).toEqual(['started', 'queued', 'queued']);
    expect(await fermata.runs.show(third)).toMatchObject({
      state: 'pending',
      key: '"S-1"',
      trace: [],
      waiting: [{ kind: 'key', until: null, for: `the key "S-1", which ${first} has, and one more run is before it` }],
    });
    await until(fermata, first, 'running');
    await vi.waitFor(async () => expect(await fermata.store.runs.get(first)).toMatchObject({ state: 'running' }));
    const { items } = await fermata.runs.list({ definitionId: 'queueing', state: 'pending' });
    expect(items.map(({ runId, waitsFor }) => [runId, waitsFor])).toEqual([
      [third, first],
      [second, first],
    ]);
    for (const id of [first, second, third]) await open(fermata, id);
    for (const run of runs) await run.result();
    const spans = await spansOf(fermata.temporal, [third, second, first]);
    expect(spans.map(({ runId }) => runId)).toEqual([first, second, third]);
    expectOneAtATime(spans);
  });

  it('lets a waiting run be cancelled: it leaves the line and never begins', async () => {
    const { fermata } = bench;
    const first = await start('queueing', 'S-2');
    const second = await start('queueing', 'S-2');
    const third = await start('queueing', 'S-2');
    await second.cancel({ reason: 'changed my mind', by: 'ann' });
    await expect(second.result()).rejects.toMatchObject({ code: 'run.cancelled' });
    expect(await second.show()).toMatchObject({
      state: 'cancelled',
      error: { type: 'CANCELLED', message: 'Cancelled: changed my mind (by ann)' },
      waiting: [],
      trace: [],
    });
    await expect(second.cancel()).rejects.toMatchObject({ code: 'run.invalid_transition' });
    for (const { id } of [first, third]) await open(fermata, id);
    expect(await third.result()).toMatchObject({ outcome: 'approved' });
    await expect(fermata.temporal.workflow.getHandle(second.id).describe()).rejects.toThrow(/not found/i);
  });

  it('passes the key on when its run is terminated behind our back', async () => {
    const first = await start('queueing', 'S-3');
    const second = await start('queueing', 'S-3');
    await until(bench.fermata, first.id, 'running');
    await bench.fermata.temporal.workflow.getHandle(first.id).terminate('by an operator');
    await until(bench.fermata, second.id, 'running');
    await open(bench.fermata, second.id);
    await second.result();
    await reconcileAll();
    const error = { type: 'TERMINATED', message: 'The run was terminated in Temporal; nothing was undone' };
    expect(await first.show()).toMatchObject({ state: 'failed', error, trace: [{ nodeId: 'gate', outcome: null }] });
  });

  it('answers the same start once more with the waiting run', async () => {
    const first = await start('queueing', 'S-4');
    const again = () => bench.fermata.runs.start('queueing', { input: { station: 'S-4' }, id: 'again' });
    expect(await again()).toMatchObject({ status: 'queued' });
    expect(await again()).toMatchObject({ status: 'queued' });
    await open(bench.fermata, first.id);
    await until(bench.fermata, (await again()).id, 'running');
  });
});

describe('"onConflict": "replace"', () => {
  it('cancels the run that has the key, with its undo, and begins when that has ended', async () => {
    const { fermata } = bench;
    const first = await start('replacing', 'S-1');
    await until(fermata, first.id, 'running');
    const second = await start('replacing', 'S-1');
    expect(second.status).toBe('queued');
    await expect(first.result()).rejects.toMatchObject({ code: 'run.cancelled' });
    const { error } = await until(fermata, first.id, 'cancelled');
    expect(error?.message).toContain(`replaced by ${second.id}`);
    await until(fermata, second.id, 'running');
    await open(fermata, second.id);
    await second.result();
    expectOneAtATime(await spansOf(fermata.temporal, [first.id, second.id]));
    expect(undone).toContain('S-1');
  });

  it('takes the place of a run that still waits, which is cancelled and never begins', async () => {
    const { fermata } = bench;
    await bench.stopWorker();
    const first = await start('replacing', 'S-2');
    const second = await start('replacing', 'S-2');
    const third = await start('replacing', 'S-2');
    expect(await second.show()).toMatchObject({
      state: 'cancelled',
      error: { message: `Cancelled: replaced by ${third.id}` },
    });
    await bench.startWorker();
    await until(fermata, first.id, 'cancelled');
    await until(fermata, third.id, 'running');
    await open(fermata, third.id);
    await third.result();
  });
});

describe('an event', () => {
  const publish = (station: string, id = uniqueName('card')) =>
    bench.fermata.events.publish({ id, type: 'card.read', source: '/station', data: { station } });

  it('is told per definition what became of its run, the same however often it is delivered', async () => {
    const { fermata } = bench;
    const first = await publish('E-1');
    expect(first.runs.map(({ definitionId, status }) => [definitionId, status])).toEqual([
      ['joining', 'started'],
      ['queueing', 'started'],
      ['rejecting', 'started'],
    ]);
    const [joined, queued, rejected] = first.runs.map(({ runId }) => runId ?? '') as [string, string, string];
    const second = await publish('E-1', 'second-card');
    expect(second.runs).toMatchObject([
      { definitionId: 'joining', status: 'joined', runId: joined },
      { definitionId: 'queueing', status: 'queued', runId: `${bench.tenant}/queueing/second-card` },
      { definitionId: 'rejecting', status: 'refused', runId: null, error: { code: 'run.key_taken' } },
    ]);
    expect(second.began).toEqual([]);
    for (const id of [joined, queued, rejected]) await open(fermata, id);
    await until(fermata, `${bench.tenant}/queueing/second-card`, 'running');
    const again = await publish('E-1', 'second-card');
    expect(again.runs).toEqual(second.runs);
    await open(fermata, `${bench.tenant}/queueing/second-card`);
    expect((await fermata.runs.list({ eventId: 'second-card' })).items).toHaveLength(1);
    const third = await publish('E-1');
    expect(third.runs).toMatchObject([{ status: 'started' }, { definitionId: 'queueing' }, { status: 'started' }]);
  });

  it('whose key has no value starts nothing, with the path that is to blame', async () => {
    const { runs } = await bench.fermata.events.publish({
      id: uniqueName('card'),
      type: 'card.read',
      source: '/station',
      data: { station: null },
    });
    expect(runs.map(({ status, error }) => [status, error?.code, error?.details])).toEqual(
      ['joining', 'queueing', 'rejecting'].map(() => ['refused', 'run.input_invalid', { path: '/key/value' }]),
    );
  });
});

describe('a key', () => {
  it('stays with its run when the history rolls over', async () => {
    const { fermata } = bench;
    const naps = gated('rolling', 'queue', {
      nodes: [
        { id: 'nap', type: 'delay', config: { delayMs: 10 }, nextNodeId: 'count' },
        {
          id: 'count',
          type: 'assign',
          config: { vars: { naps: '${vars.naps + 1}' } },
          nextNodeId: 'enough',
        },
        {
          id: 'enough',
          type: 'condition',
          config: { expression: 'vars.naps >= 12' },
          nextNodeId: 'gate',
          fallbackNodeId: 'nap',
        },
        ...gated('x', 'queue').nodes,
      ],
      vars: { naps: 0 },
    });
    await fermata.definitions.publish(naps);
    const rollingOver = await bench.connect({ temporal: { client: rollsOverEarly(fermata.temporal) } });
    const first = await rollingOver.runs.start('rolling', { input: { station: 'R-1' } });
    const second = await fermata.runs.start('rolling', { input: { station: 'R-1' } });
    expect(second.status).toBe('queued');
    await open(fermata, first.id);
    await open(fermata, second.id);
    await second.result();
    const { runId, raw } = await fermata.temporal.workflow.getHandle(first.id).describe();
    expect(runId).not.toBe(raw.workflowExecutionInfo?.firstRunId);
    expectOneAtATime(await spansOf(fermata.temporal, [first.id, second.id]));
  });

  it('is one definition’s: another definition may use the same value', async () => {
    expect((await start('queueing', 'K-1')).status).toBe('started');
    expect((await start('joining', 'K-1')).status).toBe('started');
  });

  it('of a list or object is the same whatever the order of its keys, and is hashed where it is long', async () => {
    const { definitions, runs } = bench.fermata;
    const key = { value: { at: '${input.at}', text: '${input.text}' }, onConflict: 'reject' } as const;
    await definitions.publish(gated('composed', 'reject', { key }));
    const first = await runs.start('composed', { input: { at: { a: 1, b: [true] }, text: 'x' } });
    expect((await first.show()).key).toBe('{"at":{"a":1,"b":[true]},"text":"x"}');
    await expect(runs.start('composed', { input: { text: 'x', at: { b: [true], a: 1 } } })).rejects.toMatchObject({
      code: 'run.key_taken',
    });
    const long = await runs.start('composed', { input: { at: 1, text: 'x'.repeat(300) } });
    expect((await long.show()).key).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('of a definition that hides values is shown as a hash', async () => {
    const { definitions, runs } = bench.fermata;
    await definitions.publish(gated('hiding', 'queue', { redact: ['input.station'] }));
    const first = await runs.start('hiding', { input: { station: 'ann@example.org' } });
    const second = await runs.start('hiding', { input: { station: 'ann@example.org' } });
    expect(second.status).toBe('queued');
    expect(JSON.stringify([await first.show(), await second.show()])).not.toContain('ann@');
  });
});
