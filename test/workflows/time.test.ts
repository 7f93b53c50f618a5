/** Which version of a calendar a run sees. */
import { expect, test } from 'vitest';
import type { CalendarQuestion, TimeAnswer, TimeQuestion } from '../../definitions/time/question.ts';
import type { Scope } from '../../workflows/scope.ts';
import { askTime } from '../../workflows/time.ts';

const question: CalendarQuestion = { kind: 'working', from: 0, ms: 1, calendar: 'office', version: null };

/** A scope whose worker answers with the version asked for, else the newest; the moment is the version. */
function scopeWith(newest: () => number) {
  const asked: (number | null)[] = [];
  const checkpoint: { calendars?: { readonly [name: string]: number } } = {};
  const resolveTime = async (one: TimeQuestion): Promise<TimeAnswer> => {
    if (one.kind !== 'working') return { at: 0, version: null };
    asked.push(one.version);
    const version = one.version ?? newest();
    await Promise.resolve();
    return { at: version, version };
  };
  const scope = { run: { checkpoint }, effects: { resolveTime } } as unknown as Scope;
  return { scope, asked, checkpoint };
}

test('the version of the first use is kept for later ones', async () => {
  let newest = 3;
  const { scope, asked, checkpoint } = scopeWith(() => newest);
  expect(await askTime(scope, question)).toBe(3);
  expect(checkpoint.calendars).toEqual({ office: 3 });
  newest = 4;
  expect(await askTime(scope, question)).toBe(3);
  expect(asked).toEqual([null, 3]);
});

test('two branches that use a calendar first at the same moment see one version', async () => {
  let newest = 0;
  const { scope, checkpoint } = scopeWith(() => ++newest);
  expect(await Promise.all([askTime(scope, question), askTime(scope, question)])).toEqual([1, 1]);
  expect(checkpoint.calendars).toEqual({ office: 1 });
});

test('each calendar has its own version, and a name such as toString is no version', async () => {
  const { scope, checkpoint } = scopeWith(() => 7);
  await askTime(scope, { ...question, calendar: 'tostring' });
  await askTime(scope, { ...question, calendar: 'office' });
  expect(checkpoint.calendars).toEqual({ tostring: 7, office: 7 });
});

test('what needs no calendar fixes none', async () => {
  const { scope, checkpoint } = scopeWith(() => 7);
  expect(await askTime(scope, { kind: 'local', text: '2027-01-01T00:00', timeZone: 'Europe/Paris' })).toBe(0);
  expect(checkpoint.calendars).toBeUndefined();
});
