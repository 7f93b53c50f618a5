import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTaskId, runIdFor, safePart } from '../../client/run-id.ts';

describe('a run id', () => {
  it('is the definition and the event, and names the tenant where it is not the default', () => {
    expect(runIdFor('default', 'order', 'evt-1')).toBe('order/evt-1');
    expect(runIdFor('acme', 'order', 'evt-1')).toBe('acme/order/evt-1');
  });

  it.each([
    ['letters, digits and . _ : -', 'Order_7.b:c-1', 'Order_7.b:c-1'],
    ['80 bytes', 'x'.repeat(80), 'x'.repeat(80)],
  ])('keeps an id of %s as it is', (_what, id, part) => {
    expect(safePart(id)).toBe(part);
  });

  it.each([
    ['a space', 'a b', /^a-b~[0-9a-f]{24}$/],
    ['a slash', 'a/b', /^a-b~/],
    ['steps in a path', '../../etc/passwd', /^etc-passwd~/],
    ['dots only', '..', /^~/],
    ['the mark of a hash', 'a~b', /^a-b~/],
    ['accents', 'Zoë Müller', /^Zoe-Muller~/],
    ['other letters', '名前', /^~/],
    ['an emoji', '🚀go', /^go~/],
    ['U+0000', 'a\u0000b', /^a-b~/],
    ['nothing', '', /^~/],
    ['a percent sign', '%2e%2e', /^2e-2e~/],
  ])('cleans an id with %s and adds a hash', (_what, id, part) => {
    expect(safePart(id)).toMatch(part);
    expect(safePart(id)).toMatch(/^[A-Za-z0-9._:-]*~[0-9a-f]{24}$/);
  });

  it('cuts a long id to 80 bytes, and long ids that differ at the end stay different', () => {
    const [one, other] = [safePart(`${'x'.repeat(200)}1`), safePart(`${'x'.repeat(200)}2`)];
    expect(one).toHaveLength(80);
    expect(one).not.toBe(other);
  });

  it('differs wherever tenant, definition or id differ, whatever they hold', () => {
    const part = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(part, part, (one, other) => {
        expect(safePart(one) === safePart(other)).toBe(one === other);
        expect(safePart(one)).toMatch(/^[A-Za-z0-9._:~-]{1,80}$/);
      }),
    );
    expect(runIdFor('default', 'a', 'b')).not.toBe(runIdFor('a', 'b', ''));
  });

  it('of a cleaned id is never that of an id which is written so', () => {
    expect(safePart(safePart('a b'))).not.toBe(safePart('a b'));
  });
});

describe('a task id', () => {
  it('tells its run, node and visit, with and without branches', () => {
    expect(readTaskId('default', 'order/evt-1/ok/2')).toEqual({
      runId: 'order/evt-1',
      path: '',
      nodeId: 'ok',
      visit: 2,
    });
    expect(readTaskId('default', 'order/evt-1/left/each[3]/ok/1')).toEqual({
      runId: 'order/evt-1',
      path: 'left/each[3]/',
      nodeId: 'ok',
      visit: 1,
    });
    expect(readTaskId('acme', 'acme/order/evt-1/ok/1')).toMatchObject({ runId: 'acme/order/evt-1' });
  });

  it.each([
    ['another tenant', 'acme', 'other/order/evt-1/ok/1'],
    ['no visit', 'default', 'order/evt-1/ok/x'],
    ['too few parts', 'default', 'order/ok/1'],
    ['nothing', 'default', ''],
  ])('with %s is none of this tenant', (_what, tenant, taskId) => {
    expect(readTaskId(tenant, taskId)).toBeNull();
  });
});
