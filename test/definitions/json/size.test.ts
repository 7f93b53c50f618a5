import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBytes, utf8Length } from '../../../definitions/json/size.ts';

test('the length in UTF-8 is that of the encoder, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }),
  );
  for (const text of ['', 'a', 'é', '名', '😀', '\ud800', 'a\udc00b', '\ud800\ud800\udc00']) {
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
  }
});

test('the size of JSON is that of its compact text', () => {
  expect(jsonBytes({ a: ['é', 1.5, null] })).toBe(Buffer.byteLength('{"a":["é",1.5,null]}'));
});
