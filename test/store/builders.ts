/** Builders of what the tests of the store write. */
import type { CommandRecord, RunRecord, VisitRecord, WaitRecord } from '../../definitions/records.ts';
import type { CloudEvent, Definition, Json } from '../../definitions/types.ts';
import type { EventStart, NewRun, RecordBatch, RunStartFacts } from '../../store/index.ts';

export const T0 = Date.parse('2027-01-01T00:00:00Z');

export function definition(id: string, more: Partial<Definition> = {}): Definition {
  return {
    id,
    trigger: { event: 'lead.created', filters: { source: 'Facebook' } },
    nodes: [{ id: 'assign', type: 'action', config: { command: 'assign_lead', payload: {} } }],
    ...more,
  };
}

export function event(id: string, data: Json = { source: 'Facebook' }): CloudEvent {
  return { id, type: 'lead.created', source: '/crm', time: '2027-01-01T00:00:00Z', data };
}

export function newRun(runId: string, more: Partial<NewRun> = {}): NewRun {
  return {
    runId,
    definitionId: 'onboarding',
    version: 1,
    hash: 'h1',
    input: { lead: runId },
    eventId: null,
    initiator: { id: 'ann', kind: 'user' },
    entity: null,
    ...more,
  };
}

export function start(definitionId: string, eventId: string): EventStart {
  const { eventId: _eventId, ...run } = newRun(`${definitionId}/${eventId}`, {
    definitionId,
    initiator: { id: '/crm', kind: 'event' },
  });
  return { ...run, version: 1 };
}

export function batch(runId: string, records: readonly RunRecord[], more: Partial<RecordBatch> = {}): RecordBatch {
  return { tenant: 'default', runId, definitionId: 'onboarding', version: 1, records, ...more };
}

export function startFacts(more: Partial<RunStartFacts> = {}): RunStartFacts {
  return {
    hash: 'h1',
    input: { lead: 1 },
    eventId: null,
    initiator: { id: 'ann', kind: 'user' },
    entity: null,
    startedAt: T0,
    temporalRunId: 'temporal-1',
    ...more,
  };
}

export function visit(seq: number, more: Partial<VisitRecord> = {}): VisitRecord {
  return {
    kind: 'visit',
    seq,
    nodeId: `n${seq}`,
    path: '',
    visit: 1,
    type: 'action',
    outcome: null,
    startedAt: T0 + seq,
    finishedAt: null,
    error: null,
    ...more,
  };
}

export function command(runId: string, seq: number, more: Partial<CommandRecord> = {}): CommandRecord {
  return {
    kind: 'command',
    seq,
    commandId: `${runId}/n${seq}/1`,
    nodeId: `n${seq}`,
    type: 'assign_lead',
    version: 1,
    payload: { leadId: 'L-1' },
    state: 'executing',
    result: null,
    error: null,
    orderedAt: T0 + seq,
    finishedAt: null,
    undoes: null,
    ...more,
  };
}

export function approvalWait(
  taskId: string,
  more: { seq?: number; users?: string[]; roles?: string[] } = {},
): WaitRecord {
  const { seq = 1, users = [], roles = [] } = more;
  return {
    kind: 'wait',
    seq,
    open: true,
    waiting: {
      nodeId: `n${seq}`,
      kind: 'approval',
      since: T0 + seq,
      until: null,
      for: 'a decision',
      task: {
        taskId,
        visit: 1,
        title: `Approve ${taskId}`,
        description: '',
        assignees: { users, roles, queues: [] },
        outcomes: ['approved', 'rejected'],
        quorum: 1,
        priority: null,
        dueAt: null,
      },
    },
  };
}
