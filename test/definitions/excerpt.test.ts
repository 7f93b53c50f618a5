import { expect, it } from 'vitest';
import { excerpt } from '../../definitions/excerpt.ts';

it('leaves a text that fits as it is', () => {
  expect(excerpt('12345', 5)).toBe('12345');
});

it('cuts a longer one to the length asked for, the ellipsis included', () => {
  expect(excerpt('123456', 5)).toBe('1234…');
});

it('never leaves half of a character', () => {
  expect(excerpt('123😀6', 5)).toBe('123…');
  expect(excerpt('12😀56', 5)).toBe('12😀…');
});
