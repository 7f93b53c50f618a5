import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../activities/define-command.ts';
import { sweepEvents } from '../../client/index.ts';
import type { NewEvent } from '../../client/read-event.ts';
import type { Definition, Json } from '../../definitions/types.ts';
import { uniqueName } from '../setup/temporal.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
const echo = defineCommand({
  type: 'echo',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  execute: async ({ text }) => ({ text: `${text}!` }),
});
beforeAll(async () => {
  bench = await startClientBench({ commands: [echo] });
});
afterAll(() => bench.stop());

/** Listens to a type of its own, so that definitions of other tests do not answer. */
const greet = (id: string, type: string, more: Partial<Definition> = {}): Definition => ({
  id,
  trigger: { event: type, filters: { source: 'Facebook' } },
  nodes: [{ id: 'greet', type: 'action', config: { command: 'echo', payload: { text: '${input.name}' } } }],
  ...more,
});
const lead = (type: string, data: Json = { source: 'Facebook', name: 'Ann' }): NewEvent & { id: string } => ({
  id: uniqueName('evt'),
  type,
  source: '/crm',
  data,
});

describe('publish', () => {
  it('starts one run of every definition that matches, and says why others did not', async () => {
    const { fermata, tenant } = bench;
    await fermata.definitions.publish(greet('greet', 'one'));
    await fermata.definitions.publish(greet('web', 'one', { trigger: { event: 'one', filters: { source: 'Web' } } }));
    const event = lead('one');
    const published = await fermata.events.publish(event);
    const runId = `${tenant}/greet/${event.id}`;
    expect(published).toEqual({
      eventId: event.id,
      created: true,
      runs: [{ definitionId: 'greet', version: 1, runId, status: 'started' }],
      began: [runId],
      notMatched: [
        { definitionId: 'web', version: 1, reason: { path: 'source', message: 'source is "Facebook", not "Web"' } },
      ],
      waits: [],
    });
    expect(await fermata.runs.result(runId)).toEqual({ text: 'Ann!' });
    const { memo: _memo, ...described } = await fermata.temporal.workflow.getHandle(runId).describe();
    expect(described).toMatchObject({ type: 'greet', taskQueue: tenant });
    expect(described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toEqual(
      expect.arrayContaining([
        ['FermataState', 'running'],
        ['FermataTenant', tenant],
        ['FermataVersion', 1],
        ['FermataEvent', event.id],
      ]),
    );
  });

  it('gives the same runs again, and says that this delivery began none', async () => {
    const { fermata } = bench;
    await fermata.definitions.publish(greet('again', 'again'));
    const event = lead('again');
    const first = await fermata.events.publish(event);
    const second = await fermata.events.publish(event);
    expect(second).toEqual({ ...first, created: false, began: [] });
  });

  it('refuses the same id with other content', async () => {
    const event = lead('conflict');
    await bench.fermata.events.publish(event);
    await expect(bench.fermata.events.publish({ ...event, data: { other: true } })).rejects.toMatchObject({
      code: 'event.conflict',
    });
  });

  it('maps the input, and refuses a start whose input does not fit, the same every time', async () => {
    const { fermata } = bench;
    const input = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    const trigger = { event: 'mapped', input: { name: '${event.data.who}' } };
    await fermata.definitions.publish(greet('mapped', 'mapped', { trigger, input }));
    const [good, wrong, absent] = [lead('mapped', { who: 'Bo' }), lead('mapped', { who: 7 }), lead('mapped', {})];
    const started = await fermata.events.publish(good);
    expect(await fermata.runs.result(started.runs[0]?.runId ?? '')).toEqual({ text: 'Bo!' });
    const refused = await fermata.events.publish(wrong);
    expect(refused.runs).toEqual([
      {
        definitionId: 'mapped',
        version: 1,
        runId: null,
        status: 'refused',
        error: expect.objectContaining({
          type: 'INPUT_INVALID',
          code: 'run.input_invalid',
          message: expect.stringContaining('/name'),
          remedy: expect.stringMatching(/new id.*fermata runs start mapped/),
        }),
      },
    ]);
    expect((await fermata.events.publish(wrong)).runs).toEqual(refused.runs);
    expect((await fermata.events.publish(absent)).runs[0]?.error?.message).toContain("the trigger's input");
    expect((await fermata.runs.list({ eventId: wrong.id })).items).toEqual([]);
  });

  it('sees a definition that another process has published just before', async () => {
    const [one, other] = [await bench.connect(), await bench.connect()];
    await one.events.publish(lead('fresh'));
    for (let version = 1; version <= 20; version++) {
      await other.definitions.publish(greet('fresh', 'fresh', { name: `v${version}` }));
      const { runs } = await one.events.publish(lead('fresh'));
      expect(runs.map((run) => run.version)).toEqual([version]);
    }
    await other.definitions.disable('fresh');
    expect((await one.events.publish(lead('fresh'))).runs).toEqual([]);
    await other.definitions.enable('fresh');
    expect((await one.events.publish(lead('fresh'))).runs).toHaveLength(1);
    await other.definitions.activate('fresh', 3);
    expect((await one.events.publish(lead('fresh'))).runs[0]?.version).toBe(3);
  });

  it('takes event ids of any form', async () => {
    const { fermata } = bench;
    await fermata.definitions.publish(greet('odd', 'odd'));
    for (const id of ['../../etc', '名前 🚀', 'x'.repeat(255), '%00', ' ']) {
      const { runs } = await fermata.events.publish({ ...lead('odd'), id });
      expect(await fermata.runs.result(runs[0]?.runId ?? '')).toEqual({ text: 'Ann!' });
      expect((await fermata.runs.list({ eventId: id })).items).toHaveLength(1);
    }
  });

  it('carries a definition that is too large for the start by reference', async () => {
    const { fermata } = bench;
    const description = 'long '.repeat(5_000);
    await fermata.definitions.publish(greet('large', 'large', { description }));
    const { runs } = await fermata.events.publish(lead('large'));
    const runId = runs[0]?.runId ?? '';
    expect(await fermata.runs.result(runId)).toEqual({ text: 'Ann!' });
    const { events } = await fermata.temporal.workflow.getHandle(runId).fetchHistory();
    const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data?.toString() ?? '';
    expect(input.length).toBeLessThan(2_000);
  });
});

describe('an event that comes while Temporal is down', () => {
  it('is stored, answered as accepted, and begins its run with the next delivery', async () => {
    const { fermata } = bench;
    await fermata.definitions.publish(greet('down', 'down'));
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    const cutOff = await bench.connect({ temporal: { client: new Client({ connection }) } });
    const event = lead('down');
    const given = await cutOff.events.publish(event);
    const runId = given.runs[0]?.runId;
    expect(given).toMatchObject({
      created: true,
      runs: [{ definitionId: 'down', status: 'pending' }],
      began: [],
      pending: { runs: [runId], message: expect.stringContaining('is stored') },
    });
    expect(await fermata.store.events.get(event.id)).toMatchObject({ done: false });
    const { created, runs, began, pending } = await fermata.events.publish(event);
    expect({ created, began, pending }).toEqual({ created: false, began: [runId], pending: undefined });
    expect(runs).toEqual([{ ...given.runs[0], status: 'started' }]);
    expect(await fermata.runs.result(runs[0]?.runId ?? '')).toEqual({ text: 'Ann!' });
    await connection.close();
  });

  it('asks Temporal for the first of its many runs only', async () => {
    const { fermata } = bench;
    const ids = Array.from({ length: 60 }, (_, index) => `many-${index}`);
    for (const id of ids) await fermata.definitions.publish(greet(id, 'many'));
    const cutOff = await bench.connect({ temporal: { address: '127.0.0.1:1' }, requireTemporal: false });
    const start = vi.spyOn(cutOff.temporal.workflow, 'start');
    const { pending } = await cutOff.events.publish(lead('many'));
    expect(pending?.runs).toHaveLength(60);
    expect(start.mock.calls.length).toBeLessThanOrEqual(16);
  });
});

describe('an event that a crash interrupted', () => {
  it('is finished by the sweep: the run that is missing begins, no other twice', async () => {
    const { fermata, tenant } = bench;
    await fermata.definitions.publish(greet('swept', 'swept'));
    const event = { ...lead('swept'), time: '2027-01-01T00:00:00Z', data: { source: 'Facebook', name: 'Cy' } };
    const { hash } = await fermata.definitions.show('swept');
    const runId = `${tenant}/swept/${event.id}`;
    await fermata.store.events.accept({
      event,
      taskQueue: tenant,
      leaseMs: 0,
      starts: [
        {
          runId,
          definitionId: 'swept',
          version: 1,
          hash,
          input: event.data,
          initiator: { id: '/crm', kind: 'event' },
          entity: null,
        },
      ],
    });
    // From a process whose own runs are walked elsewhere. The worker's own sweep may be quicker; it is done once.
    const elsewhere = await bench.connect({ taskQueue: uniqueName('elsewhere') });
    await sweepEvents(elsewhere, { olderThanMs: 0 });
    await vi.waitFor(async () => expect((await fermata.store.events.get(event.id))?.done).toBe(true), 10_000);
    expect(await fermata.runs.result(runId)).toEqual({ text: 'Cy!' });
    expect(await fermata.events.publish(event)).toMatchObject({ created: false, began: [], runs: [{ runId }] });
  });
});
