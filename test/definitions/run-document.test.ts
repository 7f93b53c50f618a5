import { describe, expect, it } from 'vitest';
import type { CommandRecord, RunRecord, VisitRecord, WaitRecord } from '../../definitions/records.ts';
import { runDocument } from '../../definitions/run-document.ts';

const START = Date.parse('2027-01-01T00:00:00Z');
const header = {
  runId: 'demo/1',
  definitionId: 'demo',
  version: 3,
  startedAt: START,
  vars: { n: 1 },
  attempts: new Map([['demo/1/work/1', 2]]),
};

function visit(fields: Partial<VisitRecord>): VisitRecord {
  return {
    kind: 'visit',
    seq: 1,
    nodeId: 'work',
    path: '',
    visit: 1,
    type: 'action',
    outcome: null,
    startedAt: START,
    finishedAt: null,
    error: null,
    ...fields,
  };
}

function command(fields: Partial<CommandRecord>): CommandRecord {
  return {
    kind: 'command',
    seq: 1,
    commandId: 'demo/1/work/1',
    nodeId: 'work',
    type: 'work',
    version: 1,
    payload: { a: 1 },
    state: 'executing',
    result: null,
    error: null,
    orderedAt: START,
    finishedAt: null,
    undoes: null,
    ...fields,
  };
}

function wait(open: boolean, seq = 1): WaitRecord {
  return {
    kind: 'wait',
    seq,
    open,
    waiting: { nodeId: `wait_${seq}`, kind: 'delay', since: START, until: START + 1000, for: 'time' },
  };
}

const running: RunRecord = { kind: 'state', state: 'running', at: START };

describe('the run document', () => {
  it('is pending and empty without records', () => {
    expect(runDocument(header, [])).toEqual({
      runId: 'demo/1',
      definitionId: 'demo',
      version: 3,
      state: 'pending',
      output: null,
      error: null,
      startedAt: '2027-01-01T00:00:00.000Z',
      completedAt: null,
      trace: [],
      commands: [],
      waiting: [],
      vars: { n: 1 },
    });
  });

  it('lists visits in order of their start, whatever the order in which they ended', () => {
    const document = runDocument(header, [
      running,
      visit({ seq: 2, nodeId: 'second' }),
      visit({ seq: 1, nodeId: 'first' }),
      visit({ seq: 2, nodeId: 'second', outcome: 'success', finishedAt: START + 5 }),
      visit({ seq: 1, nodeId: 'first', outcome: 'success', finishedAt: START + 9 }),
    ]);
    expect(document.trace.map(({ nodeId, outcome }) => [nodeId, outcome])).toEqual([
      ['first', 'success'],
      ['second', 'success'],
    ]);
    expect(document.trace[0]?.finishedAt).toBe('2027-01-01T00:00:00.009Z');
  });

  it('shows a command with its order, its attempts and its result', () => {
    const ended = command({ state: 'success', result: { ok: true }, finishedAt: START + 1500 });
    expect(runDocument(header, [running, command({}), ended]).commands).toEqual([
      {
        commandId: 'demo/1/work/1',
        nodeId: 'work',
        command: {
          type: 'work',
          id: 'demo/1/work/1',
          payload: { a: 1 },
          timestamp: '2027-01-01T00:00:00.000Z',
          version: 1,
        },
        state: 'success',
        attempts: 2,
        result: { ok: true },
        error: null,
        executedAt: '2027-01-01T00:00:01.500Z',
      },
    ]);
  });

  it('shows a command as rolled back once its undo has succeeded, and the undo as a record of its own', () => {
    const done = command({ state: 'success', finishedAt: START });
    const undo = { seq: 2, commandId: 'demo/1/work/1/undo', type: 'unwork', undoes: 'demo/1/work/1' };
    const states = (records: RunRecord[]) => runDocument(header, records).commands.map(({ state }) => state);
    expect(states([done, command({ ...undo, state: 'failed' })])).toEqual(['success', 'failed']);
    const both = runDocument(header, [done, command({ ...undo, state: 'success' })]);
    expect(both.commands.map(({ state }) => state)).toEqual(['rolled_back', 'success']);
    expect(both.commands[1]?.undoes).toBe('demo/1/work/1');
    expect(both.commands[0]).not.toHaveProperty('undoes');
  });

  it('shows what an open run waits for, and forgets a wait that is over', () => {
    const document = runDocument(header, [running, wait(true, 1), wait(true, 2), wait(false, 1)]);
    expect(document.waiting).toEqual([
      {
        nodeId: 'wait_2',
        kind: 'delay',
        since: '2027-01-01T00:00:00.000Z',
        until: '2027-01-01T00:00:01.000Z',
        for: 'time',
      },
    ]);
  });

  it('has end, output and error of a closed run, which waits for nothing', () => {
    const error = { type: 'BUSY', message: 'no', nodeId: 'work' };
    const failed: RunRecord = { kind: 'state', state: 'failed', at: START + 2000, output: null, error };
    expect(runDocument(header, [running, wait(true), failed])).toMatchObject({
      state: 'failed',
      error,
      completedAt: '2027-01-01T00:00:02.000Z',
      waiting: [],
    });
  });

  it('has the variables with which a run ended, and those of the header until then', () => {
    const completed: RunRecord = { kind: 'state', state: 'completed', at: START, vars: { n: 9 } };
    expect(runDocument(header, [running]).vars).toEqual({ n: 1 });
    expect(runDocument(header, [running, completed]).vars).toEqual({ n: 9 });
  });

  it('is the same when records are told twice', () => {
    const records = [
      running,
      visit({}),
      command({}),
      wait(true),
      wait(false),
      visit({ outcome: 'success', finishedAt: START }),
    ];
    expect(
      runDocument(
        header,
        records.flatMap((record) => [record, record]),
      ),
    ).toEqual(runDocument(header, records));
  });
});
