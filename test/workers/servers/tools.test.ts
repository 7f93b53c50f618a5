import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cachedToolPath } from '../../../workers/servers/cache-folder.ts';
import { TEMPORAL_CLI } from '../../../workers/servers/tools.ts';

/** A program that prints `text`, whatever it is asked. */
function programThatPrints(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'temporal');
  writeFileSync(path, `#!${process.execPath}\nconsole.log(${JSON.stringify(text)});\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a Temporal CLI with a recent server will do', async () => {
  const path = programThatPrints('temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)');
  expect(await TEMPORAL_CLI.refuse(path)).toBeNull();
});

test('a Temporal CLI with a server that lets tenants act on each other is refused by version', async () => {
  const path = programThatPrints('temporal version 1.5.0 (Server 1.29.1, UI 2.42.0)');
  expect(await TEMPORAL_CLI.refuse(path)).toBe(`${path} holds server 1.29.1; 1.30.3 or newer is needed.`);
});

test('another program of that name is refused', async () => {
  const path = programThatPrints('temporal 3.0, a theorem prover');
  expect(await TEMPORAL_CLI.refuse(path)).toContain('is not the Temporal CLI');
});

test('a program that does not start is refused', async () => {
  expect(await TEMPORAL_CLI.refuse('/nowhere/temporal')).toContain('/nowhere/temporal --version failed');
});

test('the cache lies where each operating system keeps caches, in a folder named by version', () => {
  const place = (env: Record<string, string>, platform: NodeJS.Platform) => cachedToolPath(TEMPORAL_CLI, env, platform);
  expect(place({ HOME: '/h', XDG_CACHE_HOME: '/x' }, 'linux')).toBe('/x/fermata/temporal-1.9.1/temporal');
  expect(place({ HOME: '/h' }, 'linux')).toBe('/h/.cache/fermata/temporal-1.9.1/temporal');
  expect(place({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Caches/fermata/temporal-1.9.1/temporal');
  expect(place({ LOCALAPPDATA: '/l' }, 'win32')).toBe('/l/fermata/cache/temporal-1.9.1/temporal.exe');
});
