/**
 * Documents that the tests of the language share.
 */
import type { Definition, JsonObject } from '../../definitions/types.ts';

/** The article's example (`docs/language.md`, section 9). */
export const ARTICLE: Definition = {
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
      config: {
        command: 'assign_lead',
        payload: { leadId: '${event.data.id}', team: 'enterprise' },
        undo: true,
      },
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
    { id: 'wait', type: 'delay', config: { delayMs: 7200000 }, nextNodeId: 'sms' },
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

/** Every field of the language at least once, valid. */
export const EVERYTHING: Definition = {
  $schema: './definition.schema.json',
  id: 'everything-1.x_y',
  name: 'Everything',
  description: 'Every field of the language',
  tags: ['test'],
  enabled: false,
  trigger: [
    {
      event: 'order.created',
      filters: {
        source: 'web',
        country: ['FR', 'DE'],
        'company.size': { gte: 50, lt: 1000, ne: 51, eq: 60, gt: 1, lte: 999 },
        '["a.b"].c[0]': { in: [1, null], notIn: ['x'], exists: true, prefix: 'a', suffix: 'b', contains: 'c' },
      },
      filter: 'event.data.score > 3',
      input: { order: '${event.data}' },
    },
    {
      schedule: { cron: '30 2 * * *', timeZone: 'Europe/Paris', overlap: 'skip', catchUp: '1h', jitter: '30s' },
      input: { order: {} },
    },
    { schedule: { every: '15m' } },
    { webhook: { path: '/crm', secret: 'crm/webhook' }, event: 'crm.contact', filters: {}, filter: 'true', input: 1 },
  ],
  input: { type: 'object' },
  output: { done: true, last: '${nodes.finish.outcome}' },
  vars: { total: 0, names: [] },
  entity: { type: 'order', id: '${event.data.id}' },
  key: { value: '${event.data.id}', onConflict: 'queue' },
  start: 'act',
  defaults: { retry: { maxAttempts: 5 }, timeout: '10s', deadline: '1h', taskQueue: 'q', priority: 3 },
  timeout: '30d',
  onFailure: 'hold',
  redact: ['event.data.email', 'nodes.act.output.ssn'],
  nodes: [
    {
      id: 'act',
      type: 'action',
      name: 'Act',
      description: 'does it',
      nextNodeId: 'ask',
      fallbackNodeId: 'finish',
      catch: [{ errors: ['TIMEOUT', '*'], nextNodeId: 'finish' }],
      maxVisits: 10,
      config: {
        command: 'act',
        version: 2,
        payload: { a: ['${input.order}', { $secret: 'crm/key' }], 'x-data': 1 },
        retry: {
          maxAttempts: 3,
          initialInterval: '1s',
          backoffCoefficient: 2,
          maxInterval: '1m',
          jitter: 0.2,
          nonRetryable: ['BAD'],
        },
        timeout: '30s',
        deadline: '1d',
        heartbeat: '5s',
        taskQueue: 'q',
        priority: 1,
        local: false,
        undo: { command: 'unact', payload: '${nodes.act.output}' },
      },
    },
    { id: 'ask', type: 'condition', nextNodeId: 'pick', config: { expression: 'vars.total > 3', onError: 'false' } },
    {
      id: 'pick',
      type: 'switch',
      config: { cases: [{ when: 'vars.total == 1', nextNodeId: 'set' }], defaultNodeId: 'set' },
    },
    { id: 'set', type: 'assign', nextNodeId: 'sleep', config: { vars: { total: '${vars.total + 1}' } } },
    { id: 'sleep', type: 'delay', nextNodeId: 'sleep2', config: { duration: 'P1M', timeZone: 'Europe/Paris' } },
    { id: 'sleep2', type: 'delay', nextNodeId: 'sleep3', config: { until: '2027-01-31T12:00', calendar: 'work' } },
    { id: 'sleep3', type: 'delay', nextNodeId: 'listen', config: { cron: '0 9 * * 1' } },
    {
      id: 'listen',
      type: 'event',
      transitions: { timeout: 'approve' },
      nextNodeId: 'approve',
      config: {
        event: ['paid', 'refused'],
        correlate: { 'data.orderId': '${input.order.id}' },
        filter: 'event.data.amount > 0',
        timeout: '1d',
        lookback: '1h',
      },
    },
    {
      id: 'approve',
      type: 'approval',
      transitions: { maybe: 'fork' },
      nextNodeId: 'fork',
      fallbackNodeId: 'finish',
      config: {
        title: 'Order ${input.order.id}',
        description: 'please',
        assignees: { users: ['a', 'b'], roles: ['boss'], queues: ['q'] },
        form: { type: 'object' },
        outcomes: ['yes', 'no', 'maybe'],
        quorum: 2,
        rejectAt: 1,
        exclude: ['${run.initiator.id}'],
        subject: '${input}',
        dueIn: '1d',
        reminders: ['4h', '1d'],
        escalate: [{ after: '2d', assignees: { roles: ['bigboss'] }, notify: { to: 'x' } }],
        timeout: '7d',
        priority: 2,
      },
    },
    {
      id: 'fork',
      type: 'parallel',
      nextNodeId: 'each',
      config: {
        branches: [
          {
            id: 'left',
            nodes: [{ id: 'left_set', type: 'assign', config: { vars: { total: 1 } } }],
            output: '${vars.total}',
            optional: true,
          },
          { id: 'right', nodes: [{ id: 'right_act', type: 'action', config: { command: 'act' } }] },
        ],
        join: { count: 1 },
        shared: ['total'],
      },
    },
    {
      id: 'each',
      type: 'forEach',
      nextNodeId: 'box',
      config: {
        items: '[1, 2, 3]',
        as: 'number',
        concurrency: 5,
        nodes: [{ id: 'each_act', type: 'action', config: { command: 'act', payload: '${number + index}' } }],
        output: '${nodes.each_act.output}',
        join: 'settled',
        shared: [],
      },
    },
    {
      id: 'box',
      type: 'scope',
      nextNodeId: 'child',
      config: {
        nodes: [{ id: 'box_act', type: 'action', config: { command: 'act', undo: true } }],
        output: '${nodes.box_act.output}',
        timeout: '1h',
        undo: true,
      },
    },
    {
      id: 'child',
      type: 'workflow',
      nextNodeId: 'child2',
      config: { definitionId: 'other', version: 'active', input: { a: 1 }, taskQueue: 'q', wait: true, timeout: '1h' },
    },
    { id: 'child2', type: 'workflow', nextNodeId: 'tell', config: { workflowType: 'handWritten', taskQueue: 'q' } },
    {
      id: 'tell',
      type: 'emit',
      nextNodeId: 'finish',
      config: { event: 'order.done', subject: '${run.id}', data: { total: '${vars.total}' } },
    },
    {
      id: 'finish',
      type: 'end',
      config: { status: 'failed', output: { a: 1 }, error: { type: 'STOPPED', message: 'because ${run.id}' } },
    },
  ],
};

/** A definition of action nodes `a`, `b`, … in a row, changed by `changes`. */
export function chain(changes: JsonObject = {}, ids: readonly string[] = ['a', 'b', 'c']): JsonObject {
  const nodes = ids.map((id, index) => {
    const next = ids[index + 1];
    return { id, type: 'action', config: { command: 'work' }, ...(next === undefined ? {} : { nextNodeId: next }) };
  });
  return { id: 'chain', nodes, ...changes };
}
