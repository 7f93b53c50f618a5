import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FermataError } from '../../../definitions/fermata-error.ts';
import { parseJson } from '../../../definitions/json/json-reader.ts';
import { toJson } from '../../../definitions/json/json-value.ts';

const fault = (text: string): { message: string; details: unknown } => {
  try {
    parseJson(text);
  } catch (error) {
    expect(error).toBeInstanceOf(FermataError);
    const { code, message, details } = error as FermataError;
    expect(code).toBe('json.invalid');
    return { message, details };
  }
  throw new Error(`${text} was taken`);
};

describe('the strict JSON reader', () => {
  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: 'binary' }), (text) => {
        fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text));
        const value = JSON.parse(text) as unknown;
        fc.pre(!/\d{16}|e\+?\d/i.test(text));
        expect(parseJson(text)).toEqual(value);
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('takes numbers that it can keep exactly, and refuses whole numbers that it cannot', () => {
    for (const text of [
      '0',
      '-0',
      '1.5',
      '1e3',
      '9007199254740991',
      '-9007199254740991',
      '0.1234567890123456789',
      '1E-5',
    ]) {
      expect(parseJson(text)).toBe(Number(text));
    }
    for (const text of [
      '9007199254740992',
      '-9007199254740992',
      '1e16',
      '1234567890123456789',
      '9007199254740993.0',
      '1e400',
      '-1e400',
    ]) {
      expect(() => parseJson(text)).toThrow(/would be rounded|too large/);
    }
  });

  test('names the path, line and column of a refused number', () => {
    expect(fault('{\n  "data": [1, {"order/id": 12345678901234567890}]\n}')).toEqual({
      message:
        'the whole number 12345678901234567890 is beyond 2^53-1 and would be rounded; write it as a text (line 2, column 28, at /data/1/order~1id)',
      details: { path: '/data/1/order~1id', line: 2, column: 28, offset: 29 },
    });
  });

  test('refuses keys given twice, however they are written', () => {
    expect(fault('{"a":{"b":1,"\\u0062":2}}').details).toMatchObject({ path: '/a/b' });
    expect(fault('{"__proto__":1,"__proto__":2}').message).toContain('given twice');
  });

  test('keeps __proto__ and constructor as ordinary own keys, in order', () => {
    const text =
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"p":1}},"a.b":1,"名前":4,"":5,"toString":"x"}';
    const value = parseJson(text) as object;
    expect(JSON.stringify(value)).toBe(text);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('isAdmin' in value).toBe(false);
    expect(JSON.stringify(toJson(value))).toBe(text);
  });

  test.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '[1 2]',
    '{"a" 1}',
    '01',
    '+1',
    '.5',
    '1.',
    '0x10',
    'NaN',
    'Infinity',
    '-',
    'tru',
    'nulll',
    '"a',
    '"\n"',
    '"\\x"',
    '"\\u12g4"',
    '[1]]',
    '// a\n1',
    '1 /* */',
    '\u00a01',
    'undefined',
  ])('refuses %j', (text) => {
    expect(fault(text).message).toMatch(/line \d+, column \d+/);
  });

  test('refuses U+0000 and halves of surrogate pairs, in values and keys', () => {
    expect(fault('["a\\u0000"]').details).toMatchObject({ path: '/0' });
    expect(fault('{"\\ud800":1}').message).toContain('surrogate');
    expect(parseJson('"\\ud83d\\ude00😀"')).toBe('😀😀');
  });

  test('refuses nesting beyond 32 levels, and takes 32', () => {
    expect(parseJson('['.repeat(32) + ']'.repeat(32))).toBeInstanceOf(Array);
    expect(fault('['.repeat(33) + ']'.repeat(33)).message).toContain('nested deeper than 32');
    expect(fault('['.repeat(1_000_000)).message).toContain('nested deeper than 32');
  });

  test('skips a byte order mark', () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });
});

describe('values that come as JavaScript', () => {
  test('are copied without undefined fields', () => {
    const value = {
      a: 1,
      b: undefined,
      c: [null, { d: 'x' }],
      n: Object.assign(Object.create(null), { e: 1 }) as object,
    };
    expect(toJson(value)).toEqual({ a: 1, c: [null, { d: 'x' }], n: { e: 1 } });
    expect(toJson(value)).not.toBe(value);
  });

  test.each([
    [{ a: [new Date(0)] }, '/a/0'],
    [{ a: () => 1 }, '/a'],
    [{ a: 1n }, '/a'],
    [[1, undefined], '/1'],
    [{ 'a/b': Number.NaN }, '/a~1b'],
    [{ a: 2 ** 53 }, '/a'],
    [{ a: new Map() }, '/a'],
    [{ a: 'x\u0000' }, '/a'],
    [undefined, ''],
    [Symbol('a'), ''],
  ])('%o is refused at its path', (value, path) => {
    expect(() => toJson(value)).toThrow(expect.objectContaining({ code: 'json.invalid', details: { path } }));
  });

  test('that hold themselves are refused', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => toJson(circle)).toThrow('nested deeper than 32');
  });
});
