import { describe, expect, it } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import type { Definition } from '../../definitions/types.ts';
import { simulate } from '../../testing/simulate.ts';
import { DEFINITIONS, type Sample } from './definitions.ts';

const START = Date.parse('2027-01-01T00:00:00Z');
const seconds = (text: string | null): number => (Date.parse(text ?? '') - START) / 1000;

function sample(name: string): Promise<RunDocument> {
  const { definition, options } = DEFINITIONS[name] as Sample;
  return simulate(definition, options);
}

/** `<node> <outcome>` of each visit, and when it ended, in seconds. */
function ends(document: RunDocument): string[] {
  return document.trace.map(({ nodeId, outcome, finishedAt }) => `${nodeId} ${outcome} ${seconds(finishedAt)}`);
}

describe('approvals decided by mocks', () => {
  it('a rejection sends a rework loop back, an approval lets it go on', async () => {
    const document = await sample('rework loop');
    expect(ends(document)).toEqual([
      'count success 0',
      'draft success 10',
      'review rejected 30',
      'count success 30',
      'draft success 40',
      'review approved 60',
      'publish success 60',
    ]);
    expect(document.output).toEqual({ round: 2, said: { stars: 5 } });
    expect(document.trace.filter(({ nodeId }) => nodeId === 'review').map(({ visit }) => visit)).toEqual([1, 2]);
  });

  it('a quorum waits for that many people', async () => {
    expect(ends(await sample('approval in time'))).toEqual(['prepare success 0', 'ok approved 120', 'go success 120']);
  });

  it('a decision that comes before its node is visited is kept for the visit', async () => {
    expect(ends(await sample('approval before its node'))).toEqual([
      'prepare success 50',
      'ok approved 50',
      'go success 50',
    ]);
  });

  it('without enough decisions in time the timeout path is taken', async () => {
    expect(ends(await sample('approval too late'))).toEqual([
      'prepare success 0',
      'ok timeout 3600',
      'stop success 3600',
    ]);
  });

  it('a decision at the very moment of the deadline counts', async () => {
    expect(ends(await sample('approval at its very deadline'))).toEqual([
      'prepare success 0',
      'ok approved 3600',
      'go success 3600',
    ]);
  });

  it('a decision with an outcome that the approval does not have changes nothing', async () => {
    const { definition } = DEFINITIONS['waiting for ever'] as Sample;
    const decisions = [{ nodeId: 'ok', outcome: 'perhaps', by: { id: 'ann' } }];
    expect(await simulate(definition, { mocks: { decisions } })).toMatchObject({ state: 'running' });
  });

  it('a decision carries the virtual time at which it came', async () => {
    const document = await sample('approval in time');
    expect(document.output).toMatchObject({
      decisions: [{ at: '2027-01-01T00:01:00.000Z' }, { at: '2027-01-01T00:02:00.000Z' }],
    });
  });
});

describe('a run that no mock lets go on', () => {
  it('ends the simulation where it waits, and says for what', async () => {
    expect(await sample('waiting for ever')).toMatchObject({
      state: 'running',
      completedAt: null,
      trace: [{ nodeId: 'ok', outcome: null, finishedAt: null }],
      waiting: [{ nodeId: 'ok', kind: 'approval', since: '2027-01-01T00:00:00.000Z', until: null }],
    });
  });

  it('does so too when a command never finds a handler', async () => {
    const { definition } = DEFINITIONS['a handler that comes late'] as Sample;
    const document = await simulate(definition, {
      mocks: { commands: { work: { error: { type: 'HANDLER_NOT_FOUND' } } } },
    });
    expect(document).toMatchObject({
      state: 'running',
      waiting: [{ nodeId: 'work', kind: 'handler' }],
      commands: [{ state: 'executing', attempts: 10_000 }],
    });
  });

  it('goes on to the time limit that it declares', async () => {
    const document = await sample('run timeout, with an undo that gives up');
    expect(document).toMatchObject({ state: 'failed', error: { type: 'RUN_TIMEOUT' } });
    expect(seconds(document.completedAt)).toBe(1800);
  });
});

describe('commands of a simulated run', () => {
  it('retry, time out and route by the type of their error', async () => {
    const document = await sample('retries, a caught error and a jump back');
    expect(ends(document)).toEqual([
      'work error 0',
      'again success 0',
      'work error 5',
      'again success 5',
      'work error 18',
      'pause success 3618',
      'last case 1 3618',
      'good completed 3618',
    ]);
    expect(document.commands.map(({ attempts, error }) => [attempts, error?.type])).toEqual([
      [1, 'GONE'],
      [2, 'GONE'],
      [2, 'TIMEOUT'],
    ]);
    expect(document.output).toEqual({ tries: 2, why: 'TIMEOUT' });
  });

  it('are asked again under the same id until a handler is there', async () => {
    const document = await sample('a handler that comes late');
    expect(document.commands).toMatchObject([
      { state: 'success', attempts: 4, commandId: 'deployed/simulation/work/1' },
    ]);
    expect(seconds(document.completedAt)).toBe(5 + 10 + 20);
  });
});

describe('cancelling a simulated run', () => {
  it('ends its delay, takes back what was done in reverse order, and then is cancelled', async () => {
    const document = await sample('cancelled in a delay, with undo');
    expect(document.state).toBe('cancelled');
    expect(document.error?.message).toContain('changed my mind');
    expect(document.commands.map(({ command, state, attempts }) => [command.type, state, attempts])).toEqual([
      ['reserve', 'rolled_back', 1],
      ['charge', 'rolled_back', 1],
      ['charge', 'success', 1],
      ['release', 'success', 2],
    ]);
    expect(seconds(document.trace.at(-1)?.finishedAt ?? null)).toBe(7200);
    expect(seconds(document.completedAt)).toBe(7201);
  });

  it('waits for a command under way that can be undone, and undoes it', async () => {
    const definition: Definition = {
      id: 'slow',
      nodes: [
        {
          id: 'charge',
          type: 'action',
          config: { command: 'charge', undo: { command: 'refund' } },
          nextNodeId: 'tell',
        },
        { id: 'tell', type: 'action', config: { command: 'tell' } },
      ],
    };
    const document = await simulate(definition, {
      mocks: { commands: { charge: { takes: '10s' } }, cancels: [{ after: '2s' }, { after: '3s' }] },
    });
    expect(document.state).toBe('cancelled');
    expect(document.commands.map(({ command, state }) => [command.type, state])).toEqual([
      ['charge', 'rolled_back'],
      ['refund', 'success'],
    ]);
    expect(seconds(document.completedAt)).toBe(10);
  });

  it('gives up a command under way that cannot be undone at once', async () => {
    const definition: Definition = { id: 'slow', nodes: [{ id: 'tell', type: 'action', config: { command: 'tell' } }] };
    const document = await simulate(definition, {
      mocks: { commands: { tell: { takes: '10s' } }, cancels: [{ after: '2s' }] },
    });
    expect(document).toMatchObject({ state: 'cancelled', commands: [{ state: 'cancelled' }] });
    expect(seconds(document.completedAt)).toBe(2);
  });
});

describe('a simulation', () => {
  it('gives the same document every time', async () => {
    for (const name of Object.keys(DEFINITIONS)) expect(await sample(name)).toEqual(await sample(name));
  });

  it('gives plain JSON', async () => {
    for (const name of Object.keys(DEFINITIONS)) {
      const document = await sample(name);
      expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    }
  });

  it('stops with the fault of a mock whose condition cannot be evaluated', async () => {
    const definition: Definition = { id: 'asking', nodes: [{ id: 'ask', type: 'action', config: { command: 'ask' } }] };
    const asked = simulate(definition, { mocks: { commands: { ask: { when: 'payload.absent == 1' } } } });
    await expect(asked).rejects.toMatchObject({
      code: 'mocks.invalid',
      details: { issues: [{ path: '/commands/ask/0/when' }] },
    });
  });

  it('draws the jitter of retries only from a source that it is given', async () => {
    const definition: Definition = { id: 'busy', nodes: [{ id: 'work', type: 'action', config: { command: 'work' } }] };
    const mocks = { commands: { work: [{ error: { type: 'BUSY' } }, {}] } };
    expect(seconds((await simulate(definition, { mocks })).completedAt)).toBe(1);
    expect(seconds((await simulate(definition, { mocks, random: () => 0 })).completedAt)).toBe(0.8);
  });
});
