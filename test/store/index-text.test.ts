import { expect, it } from 'vitest';
import { indexText } from '../../store/records/index-text.ts';

it('keeps a text that PostgreSQL can search as it is', () => {
  expect(indexText('Zoë 😀')).toBe('Zoë 😀');
});

it('holds no U+0000 and at most 512 characters', () => {
  expect(indexText(`a\0${'b'.repeat(600)}`)).toBe(`a\uFFFD${'b'.repeat(510)}`);
});

it('holds no half of a surrogate pair, whether it came so or the cut made it', () => {
  expect(indexText('a\ud800b\udc00')).toBe('a\uFFFDb\uFFFD');
  expect(indexText(`${'a'.repeat(511)}😀`)).toBe(`${'a'.repeat(511)}\uFFFD`);
});
