/** The journey through the simulator: office hours, reminders, and events of three months in milliseconds. */
import { readFileSync } from 'node:fs';
import { createManifest, createRegistry } from 'fermata/activities';
import { type Definition, parseDefinition, readCalendar, type RunDocument } from 'fermata/definitions';
import { type Mocks, simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';

const handlers = createManifest(createRegistry(commands));
const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const { definition, issues } = parseDefinition(read('definition.yaml'), { file: 'definition.yaml', handlers });
const calendars = [readCalendar(read('office.yaml'))];

const ready = (after: string, customerId = 'K-1') => ({ after, type: 'workspace.ready', data: { customerId } });
const project = (after: string, more: { example?: boolean } = {}) => ({
  after,
  type: 'project.created',
  data: { customerId: 'K-1', project: 'p-1', ...more },
});

/** Signs up on a Monday at 10:00 in Paris. */
function signUp(mocks: Mocks, start = '2027-01-04T09:00:00Z'): Promise<RunDocument> {
  const data = { customerId: 'K-1', name: 'Ada', email: 'ada@example.org' };
  const event = { id: 'evt-1', type: 'customer.signed_up', source: '/shop', data };
  const send_mail = { output: { messageId: 'm-1' } };
  const all = { ...mocks, commands: { send_mail } };
  return simulate(definition as Definition, { event, start, handlers, calendars, mocks: all });
}

const mails = ({ commands: given }: RunDocument) =>
  given.map(({ command, executedAt }) => [(command.payload as { template: string }).template, executedAt]);

describe('customer onboarding', () => {
  it('is valid with the handlers of this folder', () => {
    expect(issues).toEqual([]);
  });

  it('needs no reminder for somebody who is quick', async () => {
    const run = await signUp({ events: [ready('1h'), project('2h', { example: true }), project('2d')] });
    expect(run).toMatchObject({ state: 'completed', output: { state: 'active', reminders: 0 } });
    expect(run.emitted).toMatchObject([{ type: 'customer.activated', subject: 'K-1', data: { project: 'p-1' } }]);
    expect(run.completedAt).toBe('2027-01-06T09:00:00.000Z'); // the example project did not count
  });

  it('reminds in office hours: eight of them later, never at night or at the weekend', async () => {
    const monday = mails(await signUp({}));
    expect(monday.slice(0, 3)).toEqual([
      ['welcome', '2027-01-04T09:00:00.000Z'],
      ['reminder', '2027-01-04T17:00:00.000Z'], // Monday 18:00 in Paris: the office closes
      ['reminder', '2027-01-05T16:00:00.000Z'],
    ]);
    const friday = mails(await signUp({}, '2027-01-08T15:00:00Z'));
    expect(friday[1]).toEqual(['reminder', '2027-01-11T15:00:00.000Z']); // an hour on Friday, seven on Monday
  });

  it('hears of somebody else being ready without taking it for this customer', async () => {
    expect(await signUp({ events: [ready('1h', 'K-2')] })).toMatchObject({ vars: { reminders: 2 } });
  });

  it('has a person call when two reminders did not help', async () => {
    const by = { id: 'cleo', roles: ['customer-success'] };
    const decisions = [{ after: '3d', nodeId: 'call', outcome: 'set_up_together', by }];
    expect(await signUp({ decisions, events: [project('5d')] })).toMatchObject({
      output: { state: 'active', reminders: 2 },
    });
    const refused = await signUp({ decisions: [{ after: '3d', nodeId: 'call', outcome: 'not_interested', by }] });
    expect(refused).toMatchObject({ output: { state: 'dormant' }, emitted: [{ type: 'customer.dormant' }] });
  });

  it('lets a customer go who starts nothing in 30 days', async () => {
    const run = await signUp({ events: [ready('1h')] });
    expect(run).toMatchObject({ state: 'completed', output: { state: 'dormant' } });
    expect(run.completedAt).toBe('2027-02-03T10:00:00.000Z');
  });

  it('shows no address in what it tells', async () => {
    expect(JSON.stringify(await signUp({ events: [ready('1h'), project('2h')] }))).not.toContain('ada@example.org');
  });
});
