/** The runbook through the simulator: what it mends, what it gives up, and what it leaves behind then. */
import { readFileSync } from 'node:fs';
import { createManifest, createRegistry } from 'fermata/activities';
import { type Definition, parseDefinition, type RunDocument } from 'fermata/definitions';
import { type Mocks, simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';

const handlers = createManifest(createRegistry(commands));
const read = (file: string) =>
  parseDefinition(readFileSync(new URL(file, import.meta.url), 'utf8'), { file, handlers });
const [runbook, template] = [read('definition.yaml'), read('page-on-call.yaml')];

const REPLIES: NonNullable<Mocks['commands']> = {
  drain_host: { output: { change: 'd-1' } },
  restart_service: { output: { change: 's-1' }, takes: '30s' },
  delete_old_logs: { output: { change: 'l-1' }, takes: '1m' },
  refill_host: { output: { change: 'f-1' } },
  page_person: { output: { page: 'p-1' } },
};
const FULL = { error: { type: 'DISK_FULL', message: 'no space left', retryable: false } };
const health = (after: string, type: string) => ({ after, type, data: { host: 'web-7', service: 'search' } });
const answered = (after: string) => ({
  after,
  type: 'page.acknowledged',
  data: { incident: 'I-1', person: 'per' },
});
const mended = { after: '2h', type: 'incident.mended', data: { incident: 'I-1', person: 'per' } };

function alert(replies: Mocks['commands'] = {}, events: Mocks['events'] = []): Promise<RunDocument> {
  const data = { incident: 'I-1', kind: 'service_down', severity: 'high', service: 'search', host: 'web-7' };
  return simulate(runbook.definition as Definition, {
    event: { id: 'evt-1', type: 'alert.raised', source: '/monitoring', data },
    definitions: [template.definition as Definition],
    handlers,
    mocks: { commands: { ...REPLIES, ...replies }, events },
  });
}

const steps = ({ trace }: RunDocument): string => trace.map(({ nodeId }) => nodeId).join(' ');
const paged = ({ children = [] }: RunDocument) =>
  children.flatMap(({ run }) => run?.commands.map(({ command }) => command.payload) ?? []);

describe('service runbook', () => {
  it('is valid with the handlers of this folder, and so is its template', () => {
    expect([...runbook.issues, ...template.issues]).toEqual([]);
  });

  it('closes the incident when monitoring is happy again, and calls nobody', async () => {
    const run = await alert({}, [health('2m', 'health.green')]);
    expect(steps(run)).toBe('repair drain restart healthy refill closed');
    expect(run.emitted).toMatchObject([{ type: 'incident.closed', data: { by: 'runbook' } }]);
  });

  it('makes room when the disk is full, and restarts again when the service falls over', async () => {
    const run = await alert({ restart_service: [FULL, { output: { change: 's-1' }, takes: '30s' }] }, [
      health('3m', 'health.red'),
      health('5m', 'health.green'),
    ]);
    expect(steps(run)).toBe('repair drain restart make_room restart_again healthy restart_again healthy refill closed');
  });

  it('puts the host back and calls people, one after the other, when the service does not come back', async () => {
    const run = await alert({}, [answered('17m'), mended]);
    expect(run).toMatchObject({ state: 'completed', emitted: [{ data: { by: 'per' } }] });
    expect(run.commands.map(({ command, state }) => [command.type, state])).toEqual([
      ['drain_host', 'rolled_back'],
      ['restart_service', 'success'],
      ['drain_host', 'success'], // its undo
    ]);
    expect(paged(run)).toMatchObject([{ person: 'ola' }, { person: 'per' }]);
    expect(run.children).toMatchObject([{ state: 'completed', run: { output: { by: 'per' } } }]);
  });

  it('gives its repair 20 minutes, however it goes', async () => {
    const run = await alert({}, [health('10m', 'health.red'), answered('22m'), mended]);
    const repair = run.trace.find(({ nodeId }) => nodeId === 'repair');
    expect(repair).toMatchObject({ error: { type: 'TIMEOUT' }, finishedAt: '2027-01-01T00:20:00.000Z' });
  });

  it('calls the network team when the load balancer refuses', async () => {
    const drain_host = { error: { type: 'DRAIN_REFUSED', message: 'the last one', retryable: false } };
    expect(paged(await alert({ drain_host }, [answered('1m'), mended]))).toMatchObject([{ person: 'net-team' }]);
  });

  it('stays open, and says why, when nobody answers', async () => {
    const run = await alert();
    expect(run).toMatchObject({ state: 'failed', error: { type: 'INCIDENT_OPEN' }, children: [{ state: 'failed' }] });
    expect(run.error?.message).toContain('NOBODY_ANSWERS');
  });
});
