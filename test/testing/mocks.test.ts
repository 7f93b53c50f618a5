import { describe, expect, it } from 'vitest';
import { isFermataError } from '../../definitions/fermata-error.ts';
import { parseMocks, prepareMocks } from '../../testing/mocks.ts';
import { endOf, order, testWorld } from './builders.ts';

function refusal(document: unknown): { code: string; issues: { path: string; message: string }[] } {
  try {
    prepareMocks(document);
  } catch (error) {
    if (!isFermataError(error)) throw error;
    const { issues = [] } = error.details as { issues?: { path: string; message: string }[] };
    return { code: error.code, issues };
  }
  throw new Error('the mocks were taken');
}

function faultPaths(document: unknown): string[] {
  const { code, issues } = refusal(document);
  expect(code).toBe('mocks.invalid');
  return issues.map(({ path }) => path);
}

describe('a mocks document', () => {
  it('may be empty', () => {
    expect(prepareMocks({})).toEqual({
      commands: {},
      workflows: {},
      decisions: [],
      tasks: [],
      events: [],
      cancels: [],
    });
  });

  it('is read with its durations in milliseconds', () => {
    const mocks = prepareMocks({
      commands: { charge: { output: 1, takes: '3s' } },
      decisions: [
        { after: '1h', nodeId: 'ok', outcome: 'approved', by: { id: 'ann', roles: ['boss'] }, data: { n: 1 } },
      ],
      events: [{ after: '2s', type: 'paid', data: null, id: 'e1' }],
    });
    expect(mocks.commands['charge']).toEqual([{ output: 1, takes: 3000 }]);
    expect(mocks.decisions[0]).toMatchObject({ after: 3_600_000, by: { id: 'ann', roles: ['boss'] } });
    expect(mocks.events[0]).toMatchObject({ after: 2000, data: null });
  });

  it('is refused with the path of every unknown field', () => {
    const paths = faultPaths({
      comands: {},
      commands: { charge: [{ output: 1, delay: '1s' }], refund: { error: { type: 'X', retry: true } } },
      decisions: [{ nodeId: 'ok', outcome: 'approved', by: { id: 'ann', role: 'boss' } }],
      events: [{ type: 'paid', payload: 1 }],
    });
    expect(paths.sort()).toEqual([
      '/comands',
      '/commands/charge/0/delay',
      '/commands/refund/error/retry',
      '/decisions/0/by/role',
      '/events/0/payload',
    ]);
  });

  it('is refused where a duration is none', () => {
    expect(faultPaths({ commands: { charge: { takes: 'soon' } }, events: [{ type: 'a', after: '-1s' }] })).toEqual([
      '/commands/charge/takes',
      '/events/0/after',
    ]);
  });

  it('is refused where a reply has an output and an error', () => {
    expect(faultPaths({ commands: { charge: [{}, { output: 1, error: { type: 'X' } }] } })).toEqual([
      '/commands/charge/1',
    ]);
  });

  it('is refused where a list of replies is empty', () => {
    expect(faultPaths({ commands: { charge: [] } })).toEqual(['/commands/charge']);
  });

  it('is refused where a condition is no expression, or uses other names than payload, attempt and visit', () => {
    const { issues } = refusal({
      commands: { a: { when: 'attempt ==' }, b: [{ when: 'payload.n > 1' }, { when: 'vars.n == attempt' }] },
    });
    expect(issues.map(({ path }) => path)).toEqual(['/commands/a/when', '/commands/b/1/when']);
    expect(issues[1]?.message).toContain('"vars"');
  });

  it('lets a condition name what it counts over', () => {
    expect(() =>
      prepareMocks({ commands: { a: { when: 'payload.list.exists(entry, entry > visit)' } } }),
    ).not.toThrow();
  });

  it('is refused where it is no JSON', () => {
    expect(refusal({ commands: { a: { output: () => 1 } } }).code).toBe('json.invalid');
  });
});

describe('a mocks text', () => {
  it('may be JSON or YAML', () => {
    const mocks = { commands: { charge: [{ output: 1, takes: '3s' }] } };
    expect(parseMocks(JSON.stringify(mocks, null, 2))).toEqual(mocks);
    expect(parseMocks('commands:\n  charge:\n    - output: 1\n      takes: 3s\n')).toEqual(mocks);
  });

  it('that cannot be read is refused with its line', () => {
    expect(() => parseMocks('{ "commands": { "a": {}, "a": {} } }')).toThrow(
      expect.objectContaining({ code: 'json.invalid' }),
    );
    const error: unknown = (() => {
      try {
        return parseMocks('commands:\n  a: {}\n  a: {}\n');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code: 'json.invalid', details: { line: 3 } });
  });

  it('that does not fit is refused as the document would be', () => {
    expect(() => parseMocks('comands: {}')).toThrow(expect.objectContaining({ code: 'mocks.invalid' }));
  });
});

describe('which reply answers', () => {
  const ask = async (test: ReturnType<typeof testWorld>, fields: Parameters<typeof order>[0] = {}) => {
    const { output, error } = await endOf(
      test,
      test.effects.runCommand(order({ retry: { maxAttempts: 1 }, ...fields })),
    );
    return error ? error.type : output;
  };

  it('a command without a mock answers with an empty object, at once', async () => {
    const test = testWorld();
    expect(await ask(test)).toEqual({});
    expect(test.elapsed()).toBe(0);
  });

  it('a reply without output and error answers with an empty object', async () => {
    expect(await ask(testWorld({ work: { takes: '1s' } }))).toEqual({});
  });

  it('a reply may answer with null', async () => {
    expect(await ask(testWorld({ work: { output: null } }))).toBeNull();
  });

  it('a single reply answers every time', async () => {
    const test = testWorld({ work: { output: 7 } });
    expect([await ask(test), await ask(test)]).toEqual([7, 7]);
  });

  it('a list is used up across visits, and its last entry repeats', async () => {
    const test = testWorld({ work: [{ output: 1 }, { output: 2 }] });
    const answers = [];
    for (const visit of [1, 2, 3, 4]) answers.push(await ask(test, { commandId: `demo/run/work/${visit}` }));
    expect(answers).toEqual([1, 2, 2, 2]);
  });

  it('every type has a list of its own', async () => {
    const test = testWorld({ work: [{ output: 1 }, { output: 2 }], rest: [{ output: 'a' }, { output: 'b' }] });
    expect([await ask(test), await ask(test, { type: 'rest' }), await ask(test)]).toEqual([1, 'a', 2]);
  });

  it('the first entry whose condition holds answers, and nothing is used up', async () => {
    const test = testWorld({
      work: [
        { when: 'payload.n > 10', output: 'large' },
        { when: 'payload.n > 5', output: 'middle' },
        { output: 'small' },
      ],
    });
    const answers = [];
    for (const n of [11, 6, 1, 12]) answers.push(await ask(test, { payload: { n } }));
    expect(answers).toEqual(['large', 'middle', 'small', 'large']);
  });

  it('conditions see which attempt and which visit it is', async () => {
    const test = testWorld({
      work: [
        { when: 'attempt < 3', error: { type: 'BUSY' } },
        { when: 'visit == 2', output: 'second visit' },
        { output: 'ok' },
      ],
    });
    const retry = { maxAttempts: 3 };
    expect(await ask(test, { retry })).toBe('ok');
    expect(await ask(test, { retry, commandId: 'demo/run/work/2' })).toBe('second visit');
    expect(await ask(test, { retry, commandId: 'demo/run/work/3/undo' })).toBe('ok');
  });

  it('where no condition holds the command answers as without a mock', async () => {
    expect(await ask(testWorld({ work: { when: 'visit == 9', output: 1 } }))).toEqual({});
  });

  it('a condition that cannot be evaluated is a fault of the mocks, not an answer', async () => {
    const test = testWorld({ work: [{ when: 'payload.absent > 1', output: 1 }] });
    const fault = test.effects.runCommand(order()).catch((error: unknown) => error);
    await test.settle();
    expect(await fault).toMatchObject({ code: 'mocks.invalid' });
  });

  it('attempts count over the whole life of a command, also when it is ordered again', async () => {
    const test = testWorld({
      work: [{ when: 'attempt == 1', error: { type: 'HANDLER_NOT_FOUND' } }, { output: 'found' }],
    });
    expect([await ask(test), await ask(test)]).toEqual(['HANDLER_NOT_FOUND', 'found']);
  });

  it('an output that says it was no success fails the command for good, as a handler would', async () => {
    const test = testWorld({ work: { output: { success: false, error: 'no such lead' } } });
    const end = await endOf(test, test.effects.runCommand(order()));
    expect(end).toMatchObject({ error: { type: 'COMMAND_FAILED', message: 'no such lead' }, at: 0 });
  });
});
