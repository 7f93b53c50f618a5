/** Value templates. */
import { describe, expect, test } from 'vitest';
import { compileTemplate, ExpressionSyntaxError, Meter } from '../../../definitions/expressions/index.ts';
import { errorOf, fill } from './evaluate.ts';

const event = { data: { id: 7, name: 'Ann', tags: ['a'], none: null, company: { size: 3 } } };

describe('a string that is exactly one ${…} keeps the type of the result', () => {
  test.each([
    ['${event.data.id}', 7],
    ['${ event.data.id }', 7],
    ['${event.data.tags}', ['a']],
    ['${event.data.none}', null],
    ['${event.data.id > 3}', true],
    ['${now}', '2027-01-01T00:00:00Z'],
  ])('%s', (template, expected) => {
    expect(fill(template, { event })).toEqual(expected);
  });
});

describe('other strings take results into the text', () => {
  test.each([
    ['Any questions, ${event.data.name}?', 'Any questions, Ann?'],
    ['${event.data.name}${event.data.id}', 'Ann7'],
    [' ${event.data.id}', ' 7'],
    ['tags: ${event.data.tags}, ${event.data.company}, ${true}', 'tags: ["a"], {"size":3}, true'],
    ['at ${now}, in ${duration("90s")}', 'at 2027-01-01T00:00:00Z, in 90s'],
    ['5 $ and {x} and $x and 100%', '5 $ and {x} and $x and 100%'],
    ['', ''],
  ])('%s', (template, expected) => {
    expect(fill(template, { event })).toBe(expected);
  });

  test('null has no text, as absent has none', () => {
    const error = errorOf(() => fill({ text: 'Hello ${event.data.none}' }, { event }));
    expect(error.type).toBe('EXPRESSION_ERROR');
    expect(error.details).toEqual({ expression: 'event.data.none', offset: 0, pointer: '/text' });
    expect(errorOf(() => fill('Hello ${event.data.nope}', { event })).message).toContain('field not found: nope');
  });
});

describe('$${ is a literal ${', () => {
  test.each([
    ['$${event.data.id}', '${event.data.id}'],
    ['a $${b} ${event.data.id}', 'a ${b} 7'],
    ['$$${x}', '$${x}'],
    ['$${', '${'],
  ])('%s', (template, expected) => {
    expect(fill(template, { event })).toBe(expected);
  });
});

describe('a } inside the expression does not end it', () => {
  test.each([
    ['${"}"}', '}'],
    ['${\'}\' + "}"}', '}}'],
    ['${{"a": {"b": 1}}.a.b}', 1],
    ['${"\\"}"}', '"}'],
    ['${r"\\"}', '\\'],
    ['${"""}"}""" }', '}"}'],
    ['${1 // }\n}', 1],
    ['${event.data.tags.map(t, {"t": t})}', [{ t: 'a' }]],
    ['x${"{"}y', 'x{y'],
  ])('%s', (template, expected) => {
    expect(fill(template, { event })).toEqual(expected);
  });
});

describe('any JSON', () => {
  test('values deep inside are filled, keys and the rest stay', () => {
    const template = { a: [1, { b: '${event.data.id}', c: null }], '${k}': 'x', d: '$${' };
    expect(fill(template, { event })).toEqual({ a: [1, { b: 7, c: null }], '${k}': 'x', d: '${' });
    expect(Object.keys(fill(template, { event }) as object)).toEqual(['a', '${k}', 'd']);
  });

  test('a constant template is the value itself and costs no step', () => {
    const value = { a: [1, 'x'], b: { c: null } };
    const meter = new Meter();
    const compiled = compileTemplate(value);
    expect(compiled.constant).toBe(true);
    expect(compiled.evaluate({}, meter)).toBe(value);
    expect(meter.used).toBe(0);
  });

  test('a constant template is unescaped', () => {
    expect(compileTemplate({ a: '$${x}' })).toMatchObject({ constant: true });
    expect(fill({ a: '$${x}', b: [1] })).toEqual({ a: '${x}', b: [1] });
  });

  test.each([[null], [true], [3], ['x'], [[]], [{}]])('%j is a template of itself', (value) => {
    expect(compileTemplate(value).constant).toBe(true);
    expect(fill(value)).toEqual(value);
  });

  test('the same object is compiled once', () => {
    const value = { a: '${event.data.id}' };
    expect(compileTemplate(value)).toBe(compileTemplate(value));
  });
});

describe('faults name their place', () => {
  test('a syntax error points into the string and at the string', () => {
    const error = errorOf(() => compileTemplate({ a: { 'b/c': ['ok', 'hello ${1 +}'] } }));
    expect(error).toBeInstanceOf(ExpressionSyntaxError);
    expect(error).toMatchObject({ pointer: '/a/b~1c/1', offset: 10, text: 'hello ${1 +}' });
  });

  test.each(['${', 'x ${event.data', '${"}', '${{}', '${}', '${ }', '${a}${'])('%s does not compile', (template) => {
    expect(errorOf(() => compileTemplate(template))).toBeInstanceOf(ExpressionSyntaxError);
  });

  test('a fault at run time has expression, offset and pointer', () => {
    expect(errorOf(() => fill({ a: ['x ${1 + event.data.nope}'] }, { event })).details).toEqual({
      expression: '1 + event.data.nope',
      offset: 14,
      pointer: '/a/0',
    });
  });
});

test('every expression of a template adds to the meter', () => {
  const meter = new Meter();
  compileTemplate({ a: '${event.data.id}', b: 'x${event.data.id + 1}y${[1, 2].map(x, x)}' }).evaluate({ event }, meter);
  expect(meter.used).toBeGreaterThanOrEqual(4);
});

test('references of a template point into their strings', () => {
  expect(compileTemplate({ to: 'Hi ${event.data.name}', b: ['${nodes.a.output.x}'] }).references).toEqual([
    { path: ['event', 'data', 'name'], guarded: false, offset: 5, text: 'Hi ${event.data.name}', pointer: '/to' },
    { path: ['nodes', 'a', 'output', 'x'], guarded: false, offset: 2, text: '${nodes.a.output.x}', pointer: '/b/0' },
  ]);
});
