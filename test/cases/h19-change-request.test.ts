/** H19 in the simulator, and H18 (f), where people answer. */
import { describe, expect, test } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { changeRequest, threeYes } from './h19-change-request.ts';
import { took } from './tell.ts';

const input = { id: 'CR-1' };
const says = (after: string, outcome: string) => ({ after, nodeId: 'review', outcome, by: { id: 'rev' } });

async function run(mocks: Mocks): Promise<RunDocument> {
  const document = await simulate(changeRequest(), { input, mocks });
  expect(await simulate(changeRequest(), { input, mocks, rollover: 1 })).toEqual(document);
  return document;
}

/** `notify(30)`, `tell(true)`: when people are notified, and what the requester is told. */
function story({ commands, startedAt }: RunDocument): string[] {
  return commands.map(({ command: { type, payload, timestamp } }) => {
    const at = (Date.parse(timestamp) - Date.parse(startedAt)) / 1000;
    if (type === 'notify') return `notify(${at})`;
    return type === 'tell' ? `tell(${(payload as { approved: boolean }).approved})` : type;
  });
}

describe('H19', () => {
  test('(a) without an answer it approves itself after one reminder', async () => {
    const done = await run({});
    expect(story(done)).toEqual(['notify(0)', 'notify(30)', 'apply', 'tell(true)']);
    expect(took(done)).toBe(60);
    expect(done.vars).toEqual({ approved: true, status: 'approved' });
  });

  test('(b) a no ends it at once: nothing is applied, nobody is reminded', async () => {
    const done = await run({ decisions: [says('10s', 'rejected')] });
    expect(story(done)).toEqual(['notify(0)', 'tell(false)']);
    expect(took(done)).toBe(10);
  });

  test('(c) a yes after the reminder ends it at once; the idle branch keeps no run open', async () => {
    const done = await run({ decisions: [says('45s', 'approved')] });
    expect(story(done)).toEqual(['notify(0)', 'notify(30)', 'apply', 'tell(true)']);
    expect(took(done)).toBe(45);
    expect(done.waiting).toEqual([]);
  });

  test.each([undefined, 1])(
    '(d) an answer at the very moment of the self-approval has one outcome',
    async (rollover) => {
      const mocks = { decisions: [says('60s', 'rejected')] };
      const done = await simulate(changeRequest(), { input, mocks, ...(rollover ? { rollover } : {}) });
      const approved = done.vars['approved'] === true;
      expect(story(done)).toEqual(['notify(0)', 'notify(30)', ...(approved ? ['apply'] : []), `tell(${approved})`]);
      expect(took(done)).toBe(60);
    },
  );

  test('(e) a signal without an outcome is no approval: refused, in the audit, and the wait goes on', async () => {
    const done = await run({
      decisions: [says('10s', 'perhaps'), says('20s', 'approved')],
    });
    expect(done.audit?.map(({ refusal }) => refusal?.code ?? null)).toEqual(['unknown_outcome', null]);
    expect(took(done)).toBe(20);
  });

  test('(f) a first notification that fails ends a race of "first"; with "any" the others go on', async () => {
    const mocks: Mocks = { commands: { notify: { error: { type: 'FATAL', retryable: false } } } };
    const done = await run(mocks);
    expect(done).toMatchObject({ state: 'failed', error: { type: 'FATAL', nodeId: 'notify' } });
    expect(took(done)).toBe(0);
    const { nodes, ...rest } = changeRequest();
    const any = nodes.map((node) =>
      node.type === 'parallel' ? { ...node, config: { ...node.config, join: 'any' as const } } : node,
    );
    const on = await simulate({ ...rest, nodes: any }, { input, mocks });
    expect(story(on)).toEqual(['notify(0)', 'notify(30)', 'apply', 'tell(true)']);
    expect(took(on)).toBe(60);
  });
});

test("H18 (f) the second's no ends it, and the others' requests are withdrawn", async () => {
  const decide = (after: string, id: string, outcome: string) => ({ after, nodeId: `ask_${id}`, outcome, by: { id } });
  const mocks = {
    decisions: [decide('1s', 'p1', 'approved'), decide('2s', 'p2', 'rejected'), decide('3s', 'p3', 'approved')],
  };
  const done = await simulate(threeYes, { mocks });
  expect(await simulate(threeYes, { mocks, rollover: 1 })).toEqual(done);
  expect(took(done)).toBe(2);
  expect(done.output).toBe('"ask_p2" was decided: rejected');
  expect(done.audit?.map(({ nodeId, action, outcome }) => `${nodeId} ${outcome ?? action}`)).toEqual([
    'ask_p1 approved',
    'ask_p2 rejected',
    'ask_p3 withdraw',
  ]);
});
