import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from '../../../definitions/json/sha256.ts';

test.each(['', 'abc', 'é名😀', ...[55, 56, 63, 64, 65, 1000].map((length) => 'x'.repeat(length))])(
  'the hash of "%s" is the one that Node makes',
  (text) => {
    expect(sha256(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
  },
);
