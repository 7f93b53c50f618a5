import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canEnter, userForPostgres } from '../../../workers/servers/system-user.ts';

const stranger = { name: 'stranger', uid: 4_000_001, gid: 4_000_001 };

function folderWith(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, mode);
  return folder;
}

test('whoever is not root runs PostgreSQL as themselves', async () => {
  expect(await userForPostgres(1000)).toBeNull();
});

test('root lends PostgreSQL another user', async () => {
  expect(await userForPostgres(0)).toMatchObject({ uid: expect.any(Number), name: expect.any(String) });
  expect((await userForPostgres(0))?.uid).toBeGreaterThan(0);
});

test('a folder can be reached when every folder above lets the user through, readable or not', () => {
  expect(canEnter(folderWith(0o755), stranger)).toBe(true);
  expect(canEnter(folderWith(0o711), stranger)).toBe(true);
});

test('one closed folder on the way is enough to be kept out', () => {
  const shut = folderWith(0o700);
  mkdirSync(join(shut, 'open'));
  expect(canEnter(join(shut, 'open'), stranger)).toBe(false);
  expect(canEnter(join(shut, 'not', 'made', 'yet'), stranger)).toBe(false);
});

test('the owner of a closed folder can enter it', () => {
  const owner = { name: 'me', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  expect(canEnter(folderWith(0o700), owner)).toBe(true);
});
