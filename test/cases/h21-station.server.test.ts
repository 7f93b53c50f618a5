/** Case H21: a charging station, its two events, and one run at a time per station and card. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkDefinition } from '../../definitions/check-definition.ts';
import type { RunDocument } from '../../definitions/records.ts';
import type { Json } from '../../definitions/types.ts';
import { uniqueName } from '../setup/temporal.ts';
import { FAULTED, SCANNED, Station, station } from './h21-station.ts';
import { openStage, type Stage } from './stage.ts';

const fake = new Station();
let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ commands: [fake.command()] });
  await stage.fermata.definitions.publish(station('h21', FAULTED));
  await stage.fermata.definitions.publish(station('h21-as-written', 'station-faulted.v1'));
});
afterAll(() => stage.close());

const publish = (type: string, data: { readonly [field: string]: Json }) =>
  stage.fermata.events.publish({ id: uniqueName('evt'), type, source: '/station', data: { station: 'S', ...data } });
const scan = (card: string) => publish(SCANNED, { card });

/** The run of the corrected definition, or of `id`, to its end. */
async function ended(published: Awaited<ReturnType<typeof publish>>, id = 'h21'): Promise<RunDocument> {
  const runId = published.runs.find((run) => run.definitionId === id)?.runId ?? '';
  await vi.waitFor(() => stage.client.workflow.getHandle(runId).describe(), 20_000);
  const { raw } = await stage.client.workflow.getHandle(runId).describe();
  const firstExecutionRunId = raw.workflowExecutionInfo?.firstRunId ?? '';
  return (await stage.conclude({ workflowId: runId, firstExecutionRunId })).document;
}

/** Of one definition only: what the other does at the same station is its own affair. */
const only = async (id: string): Promise<void> => {
  const other = id === 'h21' ? 'h21-as-written' : 'h21';
  await stage.fermata.definitions.disable(other);
  await stage.fermata.definitions.enable(id);
};

describe('H21', () => {
  beforeAll(() => only('h21'));

  test('(a) a scan without a session takes a slot and starts one', async () => {
    const document = await ended(await scan('a'));
    expect(document.state).toBe('completed');
    expect(fake.done('a')).toEqual(['ledOn', 'lock', 'start']);
    expect(document.emitted).toMatchObject([{ type: 'station.session-started', data: { card: 'a' } }]);
  });

  test('(b) no free slot, told by status and text, makes the light flicker and no more', async () => {
    fake.faults.set('b', { does: 'acquire', status: 400, text: 'No charging slots available' });
    expect((await ended(await scan('b'))).state).toBe('completed');
    expect(fake.done('b')).toEqual(['flicker']);
  });

  test('(c) the same status with another text fails, and says where', async () => {
    fake.faults.set('c', { does: 'acquire', status: 400, text: 'Card is blocked' });
    const document = await ended(await scan('c'));
    expect(document).toMatchObject({ state: 'failed', error: { message: 'acquire: Card is blocked' } });
    expect(fake.done('c')).toEqual([]);
  });

  test('(d) a scan with a session ends it', async () => {
    fake.sessions.add('d');
    const document = await ended(await scan('d'));
    expect(fake.done('d')).toEqual(['end', 'pay', 'unlock', 'flicker']);
    expect(document.emitted).toMatchObject([{ type: 'station.session-ended', data: { card: 'd' } }]);
  });

  test('(e) an error that nobody expects fails the run at its node', async () => {
    fake.faults.set('e', { does: 'lookup', status: 500, text: 'down' });
    expect(await ended(await scan('e'))).toMatchObject({
      state: 'failed',
      error: { type: 'HTTP_500', nodeId: 'lookup' },
    });
  });

  test('(f) a fault is unsupported as the routing was written, which the check warns of, and handled once corrected', async () => {
    const { issues } = checkDefinition(station('h21-as-written', 'station-faulted.v1'));
    expect(issues).toMatchObject([{ severity: 'warning', nodeId: 'route' }]);
    expect(issues[0]?.message).toContain('station-faulted.v1');
    await only('h21-as-written');
    const written = await ended(await publish(FAULTED, { error: 'smoke' }), 'h21-as-written');
    expect(written).toMatchObject({ state: 'failed', error: { message: `unsupported event ${FAULTED}` } });
    await only('h21');
    const corrected = await ended(await publish(FAULTED, { error: 'smoke' }));
    expect(fake.done('none')).toEqual(['support', 'ledRed']);
    expect(corrected.emitted).toMatchObject([{ type: 'station.out-of-order', data: { error: 'smoke' } }]);
  });

  test('(g) the same card twice at once: the second waits for the first, then ends its session', async () => {
    let open = (): void => undefined;
    fake.gates.set('g', new Promise((resolve) => (open = resolve)));
    const first = await scan('g');
    const second = await scan('g');
    expect([first, second].map(({ runs }) => runs[0]?.status)).toEqual(['started', 'queued']);
    open();
    expect((await ended(first)).emitted).toMatchObject([{ type: 'station.session-started' }]);
    expect((await ended(second)).emitted).toMatchObject([{ type: 'station.session-ended' }]);
    expect(fake.done('g')).toEqual(['ledOn', 'lock', 'start', 'end', 'pay', 'unlock', 'flicker']);
  });
});
