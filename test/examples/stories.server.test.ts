/** The five longer examples on real servers: one way through each, with hours that a test can wait for. */
import { readFileSync } from 'node:fs';
import type { Definition, Fermata, Json, RunDocument } from 'fermata';
import { parseDefinition } from 'fermata/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeNewsroom, commands as publishing } from '../../examples/content-publishing/commands.ts';
import { closeArchive, commands as contracts, notify } from '../../examples/contract-approval/commands.ts';
import { closeMail, commands as onboarding } from '../../examples/customer-onboarding/commands.ts';
import { closeShop, commands as orders } from '../../examples/order-fulfilment/commands.ts';
import { closeOperations, commands as runbook } from '../../examples/service-runbook/commands.ts';
import { uniqueName } from '../setup/temporal.ts';
import { ROOT } from './documents.ts';
import { type ExampleStage, openExampleStage } from './example-stage.ts';

let stage: ExampleStage;
let rows: ExampleStage['rows'];
let fermata: ExampleStage['fermata'];

beforeAll(async () => {
  const commands = [...orders, ...contracts, ...publishing, ...runbook, ...onboarding];
  stage = await openExampleStage({
    name: 'stories',
    commands,
    notify,
    closeServices: [closeNewsroom, closeArchive, closeMail, closeShop, closeOperations],
  });
  ({ fermata, rows } = stage);
});

afterAll(() => stage.close());

const read = (file: string): string => readFileSync(`${ROOT}examples/${file}`, 'utf8');

/** Publishes a definition of an example, as it is or with other words in its text. */
async function stored(file: string, change: (text: string) => string = (text) => text): Promise<void> {
  const { definition, issues } = parseDefinition(change(read(file)), { file });
  expect(issues).toEqual([]);
  await fermata.definitions.publish(definition as Definition);
}

async function happened(type: string, data: Json): Promise<string> {
  const { runs } = await fermata.events.publish({ id: uniqueName('evt'), type, source: '/test', data });
  return runs[0]?.runId ?? '';
}

async function waitsAt(runId: string, nodeId: string): Promise<void> {
  const nodes = async () => (await fermata.runs.show(runId)).waiting.map((wait) => wait.nodeId);
  await expect.poll(nodes, { timeout: 20_000 }).toContain(nodeId);
}

/** Decides the task of a visit (`<node id>/<visit>`), once the run has come to it. */
async function decide(runId: string, visit: string, decision: Parameters<Fermata['approvals']['decide']>[1]) {
  const taskId = `${runId}/${visit}`;
  const open = async () => (await fermata.approvals.list({ runId })).items.map((item) => item.taskId);
  await expect.poll(open, { timeout: 20_000 }).toContain(taskId);
  return fermata.approvals.decide(taskId, decision);
}

async function story(runId: string): Promise<RunDocument> {
  await fermata.runs.result(runId);
  await expect.poll(async () => (await fermata.runs.show(runId)).state, { timeout: 20_000 }).toBe('completed');
  return fermata.runs.show(runId);
}

/** What a service was told for a run, in order, and whether it was taken back. */
async function told(service: string, runId: string): Promise<string[]> {
  const done = await rows.query<{ action: string; taken_back: boolean }>(
    `select action, taken_back from ${service}.done where starts_with(key, $1) order by at, key`,
    [`${runId}/`],
  );
  return done.rows.map(({ action, taken_back }) => `${action}${taken_back ? ' (taken back)' : ''}`);
}

describe('the examples on real servers', () => {
  it('order fulfilment: a declined card takes goods and courier back, another one ships the order', async () => {
    await stored('order-fulfilment/definition.yaml');
    const orderId = uniqueName('O');
    const lines = [{ sku: 'desk', quantity: 1 }];
    const order = { orderId, email: 'ada@example.org', card: 'tok_declined', total: 640, lines };
    const runId = await happened('order.placed', order);
    await waitsAt(runId, 'another_card');
    // The same order under another event id: its key has a run already.
    expect(await happened('order.placed', order)).toBe(runId);
    await happened('card.replaced', { orderId, card: 'tok_good' });
    const run = await story(runId);
    expect(run.output).toEqual({ orderId, parcel: `${runId}/fulfil.2/dispatch/1` });
    const actions = await told('shop', runId);
    // What was under way when the card was declined has been awaited, and undone where it succeeded.
    expect(actions.filter((action) => !action.endsWith('(taken back)'))).toEqual(
      expect.arrayContaining(['write', 'reserve', 'charge', 'book', 'dispatch', 'write']),
    );
    expect(actions).not.toContain('charge (taken back)');
  });

  it('contract approval: sent back by finance, reworked, signed from the start', async () => {
    await stored('contract-approval/definition.yaml');
    const contract = { contractId: uniqueName('C'), author: 'ana', text: 'We pay.', value: 2000 };
    const runId = await happened('contract.drafted', contract);
    const by = (role: string) => ({ id: `${role}-person`, roles: [role] });
    const own = decide(runId, 'sign/1', { outcome: 'signed', by: { id: 'ana', roles: ['legal'] } });
    await expect(own).rejects.toMatchObject({ details: { reason: 'excluded' } });
    await decide(runId, 'sign/1', { outcome: 'signed', by: by('legal') });
    await decide(runId, 'sign/2', { outcome: 'sent_back', by: by('finance'), data: { remarks: 'when?' } });
    await decide(runId, 'rework/1', { outcome: 'resubmitted', by: 'ana', data: { text: 'We pay on Monday.' } });
    await decide(runId, 'sign/3', { outcome: 'signed', by: by('legal') });
    await decide(runId, 'sign/4', { outcome: 'signed', by: by('finance') });
    expect((await story(runId)).output).toEqual({ fileId: `${runId}/file/1`, rounds: 2 });
    expect(await told('archive', runId)).toEqual(expect.arrayContaining(['mail: assigned', 'file']));
  });

  it('content publishing: two checks will do, and a channel that is down stops nobody', async () => {
    await stored('content-publishing/definition.yaml', (text) => text.replace('duration: 30m', 'duration: 50ms'));
    const readers = {
      channels: ['site', 'newsletter', 'fax'],
      publishAt: '2020-01-01T06:00',
      timeZone: 'Europe/Paris',
    };
    const article = { slug: uniqueName('clocks'), author: 'ada', title: 'Clocks', ...readers };
    const run = await story(await happened('article.finished', article));
    expect(run.emitted).toMatchObject([
      { type: 'article.published', subject: article.slug, data: { missing: ['nobody reads a fax'] } },
    ]);
    expect(await told('newsroom', run.runId)).toEqual(['check', 'check', 'publish', 'publish', 'publish']);
  });

  it('service runbook: mends a service; where it may not, a person is called and mends it', async () => {
    await stored('service-runbook/page-on-call.yaml');
    await stored('service-runbook/definition.yaml');
    const alert = { incident: uniqueName('I'), kind: 'service_down', severity: 'high', service: 'search' };
    const mended = await happened('alert.raised', { ...alert, host: 'web-7' });
    await waitsAt(mended, 'healthy');
    expect(await happened('alert.raised', { ...alert, host: 'web-7' })).toBe(mended);
    await happened('health.green', { host: 'web-7', service: 'search' });
    expect((await story(mended)).emitted).toMatchObject([{ type: 'incident.closed', data: { by: 'runbook' } }]);

    const refused = await happened('alert.raised', { ...alert, host: 'last-1' });
    const child = `page-on-call/${refused.replaceAll('/', ':')}:call_somebody:1`;
    await waitsAt(refused, 'call_somebody');
    await happened('page.acknowledged', { incident: alert.incident, person: 'nia' });
    await waitsAt(refused, 'mended');
    await happened('incident.mended', { incident: alert.incident, person: 'nia' });
    const run = await story(refused);
    expect(run).toMatchObject({ children: [{ runId: child }], emitted: [{ data: { by: 'nia' } }] });
    expect(await told('operations', child)).toEqual(['page']);
  });

  it('customer onboarding: a customer who is ready before the working day is over needs no reminder', async () => {
    await fermata.calendars.put(read('customer-onboarding/office.yaml'));
    await stored('customer-onboarding/definition.yaml');
    const customerId = uniqueName('K');
    const runId = await happened('customer.signed_up', { customerId, name: 'Ada', email: 'ada@example.org' });
    await waitsAt(runId, 'working_day');
    await happened('workspace.ready', { customerId });
    await happened('project.created', { customerId, project: 'p-0', example: true });
    await happened('project.created', { customerId, project: 'p-1' });
    const run = await story(runId);
    expect(run.output).toEqual({ state: 'active', reminders: 0 });
    expect(await told('mail', runId)).toEqual(['welcome', 'first_project']);
  });
});
