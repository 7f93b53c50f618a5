import { describe, expect, it } from 'vitest';
import type { Definition, Json } from '../../definitions/types.ts';
import type { RunDocument } from '../../definitions/records.ts';
import { type SimulateOptions, simulate } from '../../testing/simulate.ts';

const START = Date.parse('2027-01-01T00:00:00Z');
const seconds = (text: string | null): number => (Date.parse(text ?? '') - START) / 1000;

/** Times in seconds since the start: `<node> <outcome> <from>-<to>`. */
function story(document: RunDocument): string[] {
  return document.trace.map(
    ({ nodeId, outcome, startedAt, finishedAt }) =>
      `${nodeId} ${outcome} ${seconds(startedAt)}-${finishedAt === null ? '' : seconds(finishedAt)}`,
  );
}

const lead: Definition = {
  id: 'facebook-lead-onboarding',
  name: 'Facebook lead onboarding',
  enabled: true,
  trigger: { event: 'lead.created', filters: { source: 'Facebook' } },
  nodes: [
    {
      id: 'check_size',
      type: 'condition',
      config: { expression: 'event.data.company.size >= 50' },
      nextNodeId: 'assign',
    },
    {
      id: 'assign',
      type: 'action',
      config: { command: 'assign_lead', payload: { leadId: '${event.data.id}', team: 'enterprise' }, undo: true },
      nextNodeId: 'tag',
    },
    {
      id: 'tag',
      type: 'action',
      config: { command: 'add_tag', payload: { leadId: '${event.data.id}', tag: 'facebook' } },
      nextNodeId: 'welcome',
    },
    {
      id: 'welcome',
      type: 'action',
      config: {
        command: 'send_email',
        payload: { to: '${event.data.email}', template: 'welcome', owner: '${nodes.assign.output.ownerId}' },
      },
      nextNodeId: 'wait',
    },
    { id: 'wait', type: 'delay', config: { delayMs: 7_200_000 }, nextNodeId: 'sms' },
    {
      id: 'sms',
      type: 'action',
      config: {
        command: 'send_sms',
        payload: { to: '${event.data.phone}', text: 'Any questions, ${event.data.name}?' },
      },
    },
  ],
};

function leadEvent(data: { readonly [key: string]: Json } = {}): Json {
  return {
    id: 'evt-1',
    type: 'lead.created',
    source: '/crm',
    time: '2026-12-31T23:59:59Z',
    data: {
      id: 'L-1',
      source: 'Facebook',
      name: 'Ada',
      email: 'ada@example.com',
      phone: '+1',
      company: { size: 120 },
      ...data,
    },
  };
}

const leadMocks = {
  commands: { assign_lead: { output: { ownerId: 'u-7' }, takes: '2s' }, send_email: { takes: '500ms' } },
};

describe("simulating the article's example", () => {
  it('walks all of it, with the delay of two hours in virtual time', async () => {
    const document = await simulate(lead, { event: leadEvent(), mocks: leadMocks });
    expect(document).toMatchObject({
      runId: 'facebook-lead-onboarding/evt-1',
      definitionId: 'facebook-lead-onboarding',
      version: null,
      state: 'completed',
      output: {},
      error: null,
      startedAt: '2027-01-01T00:00:00.000Z',
      completedAt: '2027-01-01T02:00:02.500Z',
      waiting: [],
      vars: {},
    });
    expect(story(document)).toEqual([
      'check_size true 0-0',
      'assign success 0-2',
      'tag success 2-2',
      'welcome success 2-2.5',
      'wait success 2.5-7202.5',
      'sms success 7202.5-7202.5',
    ]);
  });

  it('gives the commands with the payloads that the templates made', async () => {
    const { commands } = await simulate(lead, { event: leadEvent(), mocks: leadMocks });
    expect(commands.map(({ command: { type, payload } }) => [type, payload])).toEqual([
      ['assign_lead', { leadId: 'L-1', team: 'enterprise' }],
      ['add_tag', { leadId: 'L-1', tag: 'facebook' }],
      ['send_email', { to: 'ada@example.com', template: 'welcome', owner: 'u-7' }],
      ['send_sms', { to: '+1', text: 'Any questions, Ada?' }],
    ]);
    expect(commands[0]).toEqual({
      commandId: 'facebook-lead-onboarding/evt-1/assign/1',
      nodeId: 'assign',
      command: {
        type: 'assign_lead',
        id: 'facebook-lead-onboarding/evt-1/assign/1',
        payload: { leadId: 'L-1', team: 'enterprise' },
        timestamp: '2027-01-01T00:00:00.000Z',
        version: 1,
      },
      state: 'success',
      attempts: 1,
      result: { ownerId: 'u-7' },
      error: null,
      executedAt: '2027-01-01T00:00:02.000Z',
    });
  });

  it('ends after the condition for a small company', async () => {
    const document = await simulate(lead, { event: leadEvent({ company: { size: 10 } }) });
    expect(document.state).toBe('completed');
    expect(story(document)).toEqual(['check_size false 0-0']);
  });

  it('takes back the assignment when the mail cannot be sent', async () => {
    const document = await simulate(lead, {
      event: leadEvent(),
      mocks: { commands: { ...leadMocks.commands, send_email: { error: { type: 'BOUNCED', retryable: false } } } },
    });
    expect(document).toMatchObject({ state: 'failed', error: { type: 'BOUNCED', nodeId: 'welcome' } });
    expect(document.commands.map(({ nodeId, command, state }) => [nodeId, command.type, state])).toEqual([
      ['assign', 'assign_lead', 'rolled_back'],
      ['tag', 'add_tag', 'success'],
      ['welcome', 'send_email', 'failed'],
      ['assign', 'assign_lead', 'success'],
    ]);
    expect(document.commands[3]).toMatchObject({
      undoes: 'facebook-lead-onboarding/evt-1/assign/1',
      command: { payload: { input: { leadId: 'L-1', team: 'enterprise' }, output: { ownerId: 'u-7' } } },
    });
  });

  it('starts at another time where that is asked for', async () => {
    const document = await simulate(lead, {
      event: leadEvent(),
      mocks: leadMocks,
      start: '2030-06-01T12:00:00+02:00',
    });
    expect(document.startedAt).toBe('2030-06-01T10:00:00.000Z');
    expect(document.completedAt).toBe('2030-06-01T12:00:02.500Z');
  });
});

describe('what starts a simulation', () => {
  const echo: Definition = { id: 'echo', nodes: [{ id: 'end', type: 'end', config: { output: '${input}' } }] };
  const outputOf = async (definition: Definition, options: SimulateOptions) =>
    (await simulate(definition, options)).output;

  it('an event whose filter does not hold is refused, with the filter and the value', async () => {
    const refused = simulate(lead, { event: leadEvent({ source: 'Web' }) });
    await expect(refused).rejects.toThrow('source is "Web", not "Facebook"');
    await expect(refused).rejects.toMatchObject({ code: 'event.not_matched', details: { reason: { path: 'source' } } });
  });

  it('an event of another type is refused', async () => {
    const event = { ...(leadEvent() as object), type: 'lead.deleted' };
    await expect(simulate(lead, { event })).rejects.toMatchObject({ code: 'event.not_matched' });
  });

  it('an event without a type is taken to be of the type of the trigger', async () => {
    const { type: _type, ...event } = leadEvent() as { type: string };
    expect((await simulate(lead, { event, mocks: leadMocks })).state).toBe('completed');
  });

  it('any one of several triggers may take the event', async () => {
    const trigger = [
      { event: 'a', filters: { n: 1 } },
      { event: 'a', filters: { n: 2 }, input: { twice: '${event.data.n * 2}' } },
    ];
    expect(await outputOf({ ...echo, trigger }, { event: { type: 'a', data: { n: 2 } } })).toEqual({ twice: 4 });
  });

  it('a filter expression that cannot be evaluated does not hold', async () => {
    const trigger = { event: 'a', filter: 'event.data.score > 3' };
    const refused = simulate({ ...echo, trigger }, { event: { type: 'a', data: {} } });
    await expect(refused).rejects.toMatchObject({ code: 'event.not_matched' });
  });

  it('without a trigger nothing of an event is checked, and the run sees it as given', async () => {
    const definition: Definition = { id: 'seen', nodes: [{ id: 'end', type: 'end', config: { output: '${event}' } }] };
    expect(await outputOf(definition, { event: { anything: [1], data: { a: 1 } } })).toEqual({
      anything: [1],
      data: { a: 1 },
    });
  });

  it('the input is what was given, else what the trigger maps, else the data of the event, else null', async () => {
    const event = { type: 'a', data: { n: 2 } };
    expect(await outputOf(echo, { event, input: { given: true } })).toEqual({ given: true });
    expect(await outputOf(echo, { event })).toEqual({ n: 2 });
    expect(await outputOf(echo, {})).toBeNull();
  });

  it('an input that does not fit the schema is refused with its paths, wherever it comes from', async () => {
    const input = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const strict: Definition = { ...echo, input };
    expect(await outputOf(strict, { input: { n: 1 } })).toEqual({ n: 1 });
    const errors = [{ path: '/n' }];
    for (const options of [{ input: { n: '1' } }, { event: { type: 'a', data: { n: '1' } } }]) {
      await expect(simulate(strict, options)).rejects.toMatchObject({ code: 'run.input_invalid', details: { errors } });
    }
    await expect(simulate(strict)).rejects.toMatchObject({ code: 'run.input_invalid' });
  });

  it('what the run is about is made from what started it, and a fault of it refuses the start', async () => {
    const about: Definition = {
      id: 'about',
      entity: { type: 'lead', id: '${event.data.id}' },
      nodes: [{ id: 'end', type: 'end', config: { output: '${run.entity}' } }],
    };
    expect(await outputOf(about, { event: { data: { id: 7 } } })).toEqual({ type: 'lead', id: '7' });
    await expect(simulate(about, { event: { data: {} } })).rejects.toMatchObject({ code: 'run.input_invalid' });
  });

  it('a definition that is not valid is refused with all its issues', async () => {
    const broken = { id: 'Broken!', nodes: [{ id: 'a', type: 'jump' }] } as unknown as Definition;
    await expect(simulate(broken)).rejects.toMatchObject({ code: 'definition.invalid' });
  });

  it('what this release does not run is refused', async () => {
    const definition: Definition = { id: 'later', onFailure: 'hold', nodes: [{ id: 'stop', type: 'end' }] };
    await expect(simulate(definition)).rejects.toMatchObject({ code: 'definition.unsupported' });
  });

  it('mocks with faults are refused before the run begins', async () => {
    await expect(simulate(echo, { mocks: { decision: [] } as object })).rejects.toMatchObject({
      code: 'mocks.invalid',
    });
  });

  it('a start that is no timestamp is refused', async () => {
    await expect(simulate(echo, { start: 'tomorrow' })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('what is known of handlers applies: versions, retry policies and timeouts', async () => {
    const definition: Definition = { id: 'known', nodes: [{ id: 'a', type: 'action', config: { command: 'work' } }] };
    const handlers = { work: { 2: { hasRollback: false, retry: { maxAttempts: 2 }, timeout: '1s' } } };
    const document = await simulate(definition, { handlers, mocks: { commands: { work: { takes: '5s' } } } });
    expect(document).toMatchObject({ state: 'failed', error: { type: 'TIMEOUT', nodeId: 'a' } });
    expect(document.commands[0]).toMatchObject({ attempts: 2, command: { version: 2 } });
    expect(seconds(document.completedAt)).toBe(1 + 1 + 1);
  });
});

describe('a definition with a key', () => {
  const keyed: Definition = {
    id: 'keyed',
    key: { value: { card: '${input.card}' }, onConflict: 'queue' },
    nodes: [{ id: 'done', type: 'end' }],
  };

  it('is walked with its key, which is free, in the document', async () => {
    expect(await simulate(keyed, { input: { card: 'C-1' } })).toMatchObject({
      key: '{"card":"C-1"}',
      state: 'completed',
    });
    const hiding: Definition = { ...keyed, redact: ['input.card'] };
    expect(await simulate(hiding, { input: { card: 'C-1' } })).toMatchObject({ key: '(hidden)' });
  });

  it('does not begin where its key has no value', async () => {
    await expect(simulate(keyed, { input: { card: null } })).rejects.toMatchObject({
      code: 'run.input_invalid',
      details: { path: '/key/value/card' },
    });
  });
});
