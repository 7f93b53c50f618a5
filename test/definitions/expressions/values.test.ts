/** Numbers, texts and times in, JSON out. */
import { describe, expect, test } from 'vitest';
import { errorOf, evaluate } from './evaluate.ts';

const input = { n: 2, half: 2.5, list: [1, 2, 3], name: 'Ann', emoji: 'a😀b', at: '2027-03-28T01:30:00Z' };

describe('texts are ordered by code point, as in filters', () => {
  test.each([
    ['"\uff5e" < "😀"', true],
    ['"😀" >= "\uff5e"', true],
    ['"😀" < "😁"', true],
    ['"a" < "ab"', true],
    ['"ab" <= "ab"', true],
    ['"ab" > "ab"', false],
    ['"B" < "a"', true],
  ])('%s is %j', (expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });
});

describe('numbers of JSON mix with integer literals', () => {
  test.each([
    ['input.n * 2 == 4', true],
    ['2 * input.n', 4],
    ['input.n + 1', 3],
    ['input.n - 1', 1],
    ['1 - input.n', -1],
    ['input.n / 4', 0.5],
    ['input.n % 2', 0],
    ['input.list[1] % 2 == 0', true],
    ['-input.n', -2],
    ['input.list[0]', 1],
    ['input.list[input.n]', 3],
    ['input.n in [1, 2]', true],
    ['1 in input.list', true],
    ['input.list == [1, 2, 3]', true],
    ['{"a": input.n} == {"a": 2}', true],
    ['7 / 2', 3],
    ['7 % 4', 3],
    ['size(input.list) / 2', 1],
    ['double(7) / 2', 3.5],
    ['9007199254740993 == 9007199254740992', false],
    ['input.name.substring(input.n)', 'n'],
    ['input.name.charAt(input.list[0])', 'n'],
    ['timestamp(input.n)', '1970-01-01T00:00:02Z'],
    ['"%d of %.1f".format([input.n, input.half])', '2 of 2.5'],
  ])('%s is %j', (expression, expected) => {
    expect(evaluate(expression, { input })).toEqual(expected);
  });

  test.each([
    'input.name.substring(input.half)',
    'input.list[input.half]',
    'input.n % 0',
    '1 / 0',
    'input.n + "1"',
    '"1" + input.n',
  ])('%s is an error', (expression) => {
    expect(errorOf(() => evaluate(expression, { input })).type).toBe('EXPRESSION_ERROR');
  });
});

describe('results are JSON, or an error', () => {
  test.each([
    ['now', '2027-01-01T00:00:00Z'],
    ['now + duration("1h30m")', '2027-01-01T01:30:00Z'],
    ['duration("2h")', '7200s'],
    ['now + duration(input.n)', '2027-01-01T00:00:02Z'],
    ['[1, 2.5, "a", null, true]', [1, 2.5, 'a', null, true]],
    ['{"a": [now]}', { a: ['2027-01-01T00:00:00Z'] }],
    ['5u', 5],
    ['input', input],
  ])('%s gives %j', (expression, expected) => {
    expect(evaluate(expression, { input })).toEqual(expected);
  });

  test('minus zero leaves as zero', () => {
    expect(Object.is(evaluate('-0.0'), 0)).toBe(true);
  });

  test('what came in as JSON goes out as the same object', () => {
    expect(evaluate('input.list', { input })).toBe(input.list);
    expect(evaluate('true ? input : input', { input })).toBe(input);
  });

  test.each([
    '1.0 / 0.0',
    '0.0 / 0.0',
    '9007199254740992',
    '-9007199254740993',
    'b"abc"',
    'type(1)',
    '{1: 2}',
    '[int]',
    'int',
  ])('%s is refused', (expression) => {
    expect(errorOf(() => evaluate(expression, { input })).type).toBe('EXPRESSION_ERROR');
  });
});

describe('texts count code points', () => {
  test.each([
    ['size(input.emoji)', 3],
    ['input.emoji.charAt(1)', '😀'],
    ['input.emoji.substring(1, 2)', '😀'],
    ['input.emoji.indexOf("b")', 2],
    ['input.emoji.lastIndexOf("b")', 2],
    ['input.emoji.split("")', ['a', '😀', 'b']],
    ['"a,b,c".split(",", 2)', ['a', 'b,c']],
    ['"aaa".replace("a", "b", 2)', 'bba'],
    ['"ab".replace("", "-")', '-a-b-'],
    ['"%s".format([{"b": 1, "a": [null, now]}])', '{a: [null, 2027-01-01T00:00:00Z], b: 1}'],
  ])('%s is %j', (expression, expected) => {
    expect(evaluate(expression, { input })).toEqual(expected);
  });
});

describe('times know UTC and fixed offsets only', () => {
  test.each([
    ['timestamp(input.at).getHours()', 1],
    ['timestamp(input.at).getHours("+02:00")', 3],
    ['timestamp(input.at).getDate("-02:00")', 27],
    ['timestamp(input.at).getDayOfWeek()', 0],
    ['timestamp(input.at).getDayOfYear()', 86],
    ['timestamp(input.at) > now', true],
    ['timestamp(input.at) - now > duration("48h")', true],
  ])('%s is %j', (expression, expected) => {
    expect(evaluate(expression, { input })).toEqual(expected);
  });

  test('a named zone is an error that says why', () => {
    expect(errorOf(() => evaluate('now.getHours("Europe/Paris")')).message).toContain(
      'named zones differ between hosts',
    );
  });

  test("the host's own zone makes no difference", () => {
    const zone = process.env['TZ'];
    try {
      process.env['TZ'] = 'America/New_York';
      // 02:30 on 14 March 2027 does not exist there.
      expect(evaluate('timestamp("2027-03-14T02:30:00Z").getHours()')).toBe(2);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});

describe('get', () => {
  const event = { data: { company: { owner: null, staff: [{ name: 'Bo' }] } } };
  test.each([
    ['get(event, "data.company.staff.0.name", "none")', 'Bo'],
    ['get(event, "data.company.owner.email", "none")', 'none'],
    ['get(event, "data.company.owner", "none")', null],
    ['get(event.data.nothing, "x", 1)', 1],
    ['get(error, "type", "none")', 'none'],
    ['get(event, "data.company.staff.7.name", "none")', 'none'],
    ['get(event.data, "company.constructor", "none")', 'none'],
    ['[event].map(e, get(e, "data.x", 0))[0]', 0],
  ])('%s is %j', (expression, expected) => {
    expect(evaluate(expression, { event })).toEqual(expected);
  });
});
