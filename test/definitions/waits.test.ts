/**
 * Waits and tests that nothing ever ends or fulfils.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../definitions/types.ts';
import {
  action,
  assign,
  box,
  condition,
  delay,
  document,
  fork,
  found,
  messages,
  node,
  row,
  sends,
} from './builders.ts';

const listen = (id: string, config: JsonObject = {}, rest: JsonObject = {}): JsonObject =>
  node('event', id, { event: 'paid', ...config }, rest);

describe('a wait in a branch that always loses', () => {
  const race = (join: string | JsonObject, ...branches: JsonObject[][]): string[] =>
    found(document(fork('f', branches, { join: join as string })));
  const atOnce = [assign('set', { a: 1 })];
  const waits = [listen('listen')];
  const dead = 'warning never_happens /nodes/0/config/branches/1/nodes/0 listen';

  test.each(['first', 'any'])('%s: another branch is done at once', (join) => {
    expect(race(join, atOnce, waits)).toEqual([dead]);
    expect(race(join, [action('work')], waits)).toEqual([]);
  });

  test('a count is decided by as many branches', () => {
    expect(race({ count: 1 }, atOnce, waits)).toEqual([dead]);
    expect(race({ count: 2 }, atOnce, waits)).toEqual([]);
  });

  test('not where all branches count, nor where a path leads past the wait', () => {
    expect(race('all', atOnce, waits)).toEqual([]);
    expect(race('first', atOnce, row(condition('c', 'input.x'), listen('listen')))).toEqual([]);
  });
});

describe('a wait that is longer than what is around it', () => {
  test('lives', () => {
    const inside = (config: JsonObject): string[] => found(document(box('s', [delay('d', config)], { timeout: '1h' })));
    expect(inside({ duration: '2h' })).toEqual(['warning never_happens /nodes/0/config/nodes/0/config/duration d']);
    expect(inside({ delayMs: 3_600_000 })).toEqual(['warning never_happens /nodes/0/config/nodes/0/config/delayMs d']);
    expect(inside({ duration: '59m' })).toEqual([]);
    expect(inside({ duration: '${input.long}' })).toEqual([]);
  });

  test('or the run, by its own timeout', () => {
    const value = {
      ...document(fork('f', [[listen('e', { timeout: '2d' }, { fallbackNodeId: 'x' }), action('x')]])),
      timeout: '1d',
    };
    expect(found(value)).toEqual(['warning never_happens /nodes/0/config/branches/0/nodes/0/config/timeout e']);
    expect(messages(value)).toContain('the run ends after 1d');
  });
});

describe('tests for a type of event', () => {
  const triggers = [{ event: 'card.scanned' }, { webhook: { path: '/fault' }, event: 'charger.fault' }];
  const route = (when: string, rest: JsonObject = {}): JsonObject => ({
    ...document(node('switch', 's', { cases: [{ when, nextNodeId: 'a' }] }), action('a')),
    trigger: triggers,
    ...rest,
  });
  const warning = 'warning unknown_event_type /nodes/0/config/cases/0/when s';

  test.each([
    'event.type == "card.scanned"',
    '"charger.fault" == event.type',
    'event.type in ["card.scanned", "charger.fault"]',
    'event.data.type == "x"',
    'event.data.list.exists(event, event.type == "x")',
    'event.type.startsWith("card")',
  ])('%s is fine', (when) => {
    expect(found(route(when))).toEqual([]);
  });

  test.each([
    'event.type == "charger.failed"',
    '"charger.failed" != event.type',
    'event["type"] == "charger.failed"',
    'event.type in ["card.scanned", "charger.failed"]',
    'size(event.data) > 1 && (event.type == "charger.failed" || false)',
  ])('case H21 (f): %s tests for a type that no trigger delivers', (when) => {
    expect(found(route(when))).toEqual([warning]);
  });

  test('the warning names the types that are delivered', () => {
    expect(messages(route('event.type == "card.scaned"'))).toContain(
      'never "card.scaned" (did you mean "card.scanned"?); the triggers deliver card.scanned, charger.fault',
    );
  });

  test('also in templates, and in a filter against its own trigger', () => {
    const value = { ...document(sends('a', '${event.type == "x" ? 1 : 2}')), trigger: triggers };
    expect(found(value)).toEqual(['warning unknown_event_type /nodes/0/config/payload a']);
    const filter = 'event.type == "charger.fault"';
    expect(found({ ...document(action('a')), trigger: [{ event: 'card.scanned', filter }, triggers[1]] })).toEqual([
      'warning unknown_event_type /trigger/0/filter -',
    ]);
  });

  test('without a trigger of events nothing is known', () => {
    expect(found(route('event.type == "x"', { trigger: [] }))).toEqual([]);
  });

  test('in a wait `event` is what arrives', () => {
    const wait = (type: string): string[] =>
      found({ ...document(listen('e', { filter: `event.type == "${type}"` })), trigger: triggers });
    expect(wait('paid')).toEqual([]);
    expect(wait('card.scanned')).toEqual(['warning unknown_event_type /nodes/0/config/filter e']);
  });
});

describe('tests for an outcome', () => {
  const ask = node('approval', 'ask', { assignees: { roles: ['boss'] } }, { fallbackNodeId: 'c', nextNodeId: 'c' });
  const asked = (expression: string, ...before: JsonObject[]): string[] =>
    found(document(...before, condition('c', expression)));

  test('of an approval or a wait that cannot have it', () => {
    const warning = ['warning unknown_outcome /nodes/1/config/expression c'];
    expect(asked('nodes.ask.outcome == "rejected"', ask)).toEqual([]);
    expect(asked('nodes.ask.outcome == "error"', ask)).toEqual([]);
    expect(asked('nodes.ask.outcome == "aproved"', ask)).toEqual(warning);
    expect(asked('nodes.ask.output.outcome == "timeout"', ask)).toEqual(warning);
    const both = listen('e', { event: ['paid', 'refused'] }, { nextNodeId: 'c' });
    expect(asked('nodes.e.outcome == "refused"', both)).toEqual([]);
    expect(asked('nodes.e.output.type == "lost"', both)).toEqual([
      'warning unknown_event_type /nodes/1/config/expression c',
    ]);
  });
});
