import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../definitions/json/canonical.ts';
import { sha256 } from '../../definitions/json/sha256.ts';
import type { RunDocument } from '../../definitions/records.ts';
import type { ApprovalConfig, Definition, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';

const START = Date.parse('2027-01-01T00:00:00Z');

function asking(config: ApprovalConfig, more: Partial<Definition> = {}): Definition {
  return {
    id: 'asking',
    nodes: [
      { id: 'ask', type: 'approval', config, nextNodeId: 'yes', fallbackNodeId: 'no' },
      { id: 'yes', type: 'end', config: { output: 'yes' } },
      { id: 'no', type: 'end', config: { output: 'no' } },
    ],
    ...more,
  };
}

/** The same in one history as in many. */
async function run(definition: Definition, mocks: Mocks, input: RunDocument['output'] = null): Promise<RunDocument> {
  const document = await simulate(definition, { mocks, input });
  expect(await simulate(definition, { mocks, input, rollover: 1 })).toEqual(document);
  expect(await simulate(definition, { mocks, input, rollover: 2 })).toEqual(document);
  return document;
}

/** `<seconds> <who> <what>`, and of what was refused its code. */
function audit({ audit: lines = [] }: RunDocument): string[] {
  return lines.map(({ handledAt, by, action, outcome, to = [], refusal }) =>
    [
      (Date.parse(handledAt) - START) / 1000,
      by?.id ?? 'run',
      outcome ?? action,
      ...to,
      ...(refusal ? [`(${refusal.code})`] : []),
    ].join(' '),
  );
}

const team = { users: ['ann', 'bob', 'cid'] };
const says = (after: string, id: string, more: object = {}) => ({
  after,
  nodeId: 'ask',
  outcome: 'approved',
  by: { id },
  ...more,
});
const does = (after: string, id: string, action: 'claim' | 'release' | 'delegate' | 'comment', more: object = {}) => ({
  after,
  nodeId: 'ask',
  action,
  by: { id },
  ...more,
});

describe('an answer', () => {
  it('that does not fit the form is refused with its places, and nothing of it counts', async () => {
    const form = { type: 'object', required: ['limit'], properties: { limit: { type: 'number', maximum: 100 } } };
    const document = await run(asking({ assignees: team, form }), {
      decisions: [
        says('1s', 'ann'),
        says('2s', 'ann', { data: { limit: 500 } }),
        says('3s', 'ann', { data: { limit: 50 } }),
      ],
    });
    expect(audit(document)).toEqual([
      '1 ann approved (invalid_form)',
      '2 ann approved (invalid_form)',
      '3 ann approved',
    ]);
    expect(document.audit?.[1]?.refusal?.message).toContain('/limit');
    expect(document.output).toBe('yes');
  });

  it('that names another subject than the task shows is refused; one that names none, or the right one, counts', async () => {
    const subject = { amount: '${input.amount}', to: 'Zoë' };
    const hash = sha256(canonicalJson({ amount: 5, to: 'Zoë' }));
    const document = await run(
      asking({ assignees: team, subject, quorum: 2 }),
      { decisions: [says('1s', 'ann', { subject: 'other' }), says('2s', 'ann', { subject: hash }), says('3s', 'bob')] },
      { amount: 5 },
    );
    expect(audit(document)).toEqual(['1 ann approved (subject_changed)', '2 ann approved', '3 bob approved']);
    expect(document.audit?.map(({ subject: bound }) => bound)).toEqual([hash, hash, hash]);
  });
});

describe('a claim', () => {
  it('keeps others from deciding, until it is released', async () => {
    const document = await run(asking({ assignees: team }), {
      tasks: [
        does('1s', 'ann', 'claim'),
        does('2s', 'bob', 'claim'),
        does('3s', 'bob', 'release'),
        does('5s', 'ann', 'release'),
      ],
      decisions: [says('4s', 'bob'), says('6s', 'bob')],
    });
    expect(audit(document)).toEqual([
      '1 ann claim',
      '2 bob claim (claimed)',
      '3 bob release (not_claimed)',
      '4 bob approved (claimed)',
      '5 ann release',
      '6 bob approved',
    ]);
  });

  it('only tells who is at it where several decide, and is over with their vote', async () => {
    const document = await run(asking({ assignees: team, quorum: 2 }), {
      tasks: [does('1s', 'ann', 'claim'), does('4s', 'cid', 'claim')],
      decisions: [says('2s', 'bob'), says('3s', 'ann'), says('5s', 'cid')],
    });
    expect(audit(document)).toEqual(['1 ann claim', '2 bob approved', '3 ann approved']);
  });

  it('ends with an escalation, whose people may decide from its moment on', async () => {
    const escalate = [{ after: '10s', assignees: { users: ['${input.boss}'] }, notify: 'chat' }];
    const document = await run(
      asking({ assignees: team, escalate }),
      { tasks: [does('1s', 'ann', 'claim')], decisions: [says('9s', 'eve'), says('10s', 'eve')] },
      { boss: 'eve' },
    );
    expect(audit(document)).toEqual([
      '0 run assign ann bob cid',
      '1 ann claim',
      '9 eve approved (not_assignee)',
      '10 run escalate eve',
      '10 eve approved',
    ]);
  });
});

describe('a delegation', () => {
  it('hands one say on: the other person has it, and who gave it away has none', async () => {
    const document = await run(asking({ assignees: { users: ['ann', 'bob'] }, quorum: 2, exclude: ['me'] }), {
      tasks: [
        does('1s', 'ann', 'delegate', { to: 'me' }),
        does('2s', 'ann', 'delegate', { to: 'zoe' }),
        does('3s', 'eve', 'delegate', { to: 'sue' }),
      ],
      decisions: [says('4s', 'ann'), says('5s', 'zoe'), says('6s', 'bob')],
    });
    expect(audit(document)).toEqual([
      '1 ann delegate me (excluded)',
      '2 ann delegate zoe',
      '3 eve delegate sue (not_assignee)',
      '4 ann approved (delegated)',
      '5 zoe approved',
      '6 bob approved',
    ]);
  });

  it('can come back', async () => {
    const document = await run(asking({ assignees: { users: ['ann'] } }), {
      tasks: [does('1s', 'ann', 'delegate', { to: 'zoe' }), does('2s', 'zoe', 'delegate', { to: 'ann' })],
      decisions: [says('3s', 'zoe'), says('4s', 'ann')],
    });
    expect(audit(document).slice(2)).toEqual(['3 zoe approved (delegated)', '4 ann approved']);
  });
});

describe('a comment', () => {
  it('of those who decide and of those who may not is kept, of a stranger refused', async () => {
    const document = await run(asking({ assignees: team, exclude: ['me'] }), {
      tasks: [
        does('1s', 'ann', 'comment', { comment: 'why?' }),
        does('2s', 'me', 'comment', { comment: 'because' }),
        does('3s', 'eve', 'comment', { comment: 'hello' }),
        does('4s', 'ann', 'comment'),
      ],
      decisions: [says('5s', 'ann')],
    });
    expect(audit(document)).toEqual([
      '1 ann comment',
      '2 me comment',
      '3 eve comment (not_assignee)',
      '4 ann comment (malformed)',
      '5 ann approved',
    ]);
  });
});

describe('reminders', () => {
  it('come at their moments, once each, and no more once it is decided', async () => {
    const config = { assignees: team, reminders: ['4s', '8s', '30s'], timeout: '1m' };
    expect(audit(await run(asking(config), { decisions: [says('20s', 'ann')] }))).toEqual([
      '0 run assign ann bob cid',
      '4 run remind ann bob cid',
      '8 run remind ann bob cid',
      '20 ann approved',
    ]);
    const late = await run(asking(config), {});
    expect(audit(late)).toHaveLength(4);
    expect(late.output).toBe('no');
  });

  it('are not made of an approval that is decided before it is open', async () => {
    const definition = asking({ assignees: team, reminders: ['4s'] });
    const [ask, ...rest] = definition.nodes as [Node, ...Node[]];
    const later: Definition = {
      ...definition,
      nodes: [{ id: 'rest', type: 'delay', config: { duration: '5s' }, nextNodeId: 'ask' }, ask, ...rest],
    };
    expect(audit(await run(later, { decisions: [says('1s', 'ann')] }))).toEqual(['5 ann approved']);
  });
});

describe('the same approval open several times', () => {
  const each = (concurrency = 10): Definition => ({
    id: 'each',
    nodes: [
      {
        id: 'all',
        type: 'forEach',
        config: {
          items: '["a", "b"]',
          concurrency,
          nodes: [{ id: 'ask', type: 'approval', config: { title: 'OK ${item}?', assignees: team } }],
        },
      },
    ],
  });

  it('takes a decision only with its path; one that fits several is given to none', async () => {
    const document = await run(each(), {
      decisions: [
        says('0s', 'ann'),
        says('1s', 'ann'),
        says('2s', 'ann', { path: 'all[1]/' }),
        says('3s', 'bob', { path: 'all[1]' }),
        says('4s', 'bob'),
      ],
    });
    expect(audit(document)).toEqual([
      '0 ann approved (ambiguous)',
      '1 ann approved (ambiguous)',
      '2 ann approved',
      '3 bob approved (too_late)',
      '4 bob approved',
    ]);
    expect(document.audit?.map(({ taskId }) => taskId?.slice(-12) ?? null)).toEqual([
      null,
      null,
      'all[1]/ask/1',
      'all[1]/ask/1',
      'all[0]/ask/1',
    ]);
  });

  it('keeps an early decision for the item that it names', async () => {
    const document = await run(each(1), {
      decisions: [says('1s', 'bob', { path: 'all[1]/' }), says('2s', 'ann', { path: 'all[0]/' })],
    });
    expect(audit(document)).toEqual(['2 ann approved', '2 bob approved']);
    expect(document.state).toBe('completed');
  });
});

describe('an approval that the run leaves behind', () => {
  const race: Definition = {
    id: 'race',
    nodes: [
      {
        id: 'either',
        type: 'parallel',
        config: {
          join: 'first',
          branches: [
            { id: 'people', nodes: [{ id: 'ask', type: 'approval', config: { assignees: team, reminders: ['1h'] } }] },
            { id: 'clock', nodes: [{ id: 'rest', type: 'delay', config: { duration: '5s' } }] },
          ],
        },
        nextNodeId: 'after',
      },
      { id: 'after', type: 'delay', config: { duration: '5s' } },
    ],
  };

  it('is withdrawn, with the reason, and what comes for it is too late', async () => {
    const document = await run(race, {
      decisions: [says('7s', 'ann'), says('8s', 'ann', { path: 'people/', visit: 1 })],
    });
    expect(audit(document)).toEqual([
      '0 run assign ann bob cid',
      '5 run withdraw ann bob cid',
      '7 ann approved (too_late)',
      '8 ann approved (too_late)',
    ]);
    expect(document.audit?.[1]?.comment).toBe('Cancelled: it was no longer needed');
    expect(document.audit?.[2]?.taskId).toBe('race/simulation/people/ask/1');
  });

  it('is withdrawn when the run is cancelled', async () => {
    const document = await run(asking({ assignees: team }), { cancels: [{ after: '3s', reason: 'enough' }] });
    expect(audit(document)).toEqual(['3 run withdraw ann bob cid']);
  });
});

it('hides what redact names in the audit and in what a task shows', async () => {
  const definition = asking({ assignees: team, subject: '${input.ssn}' }, { redact: ['input.ssn'] });
  const document = await run(
    definition,
    {
      tasks: [does('1s', 'ann', 'comment', { comment: 'it is 123-45-6789' })],
      decisions: [says('2s', 'ann', { data: { seen: '123-45-6789' }, comment: 'checked 123-45-6789' })],
    },
    { ssn: '123-45-6789' },
  );
  expect(JSON.stringify(document.audit)).not.toContain('123-45-6789');
  expect(document.audit).toHaveLength(2);
});
