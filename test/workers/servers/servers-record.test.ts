import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identify, isRunning } from '../../../workers/servers/process-identity.ts';
import {
  claimServers,
  publishServers,
  releaseServers,
  runningServers,
  type ServersRecord,
} from '../../../workers/servers/servers-record.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A process that does nothing until it is ended. */
async function startIdle() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  await once(child, 'spawn');
  const end = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { identity: await identify(child.pid ?? 0), exit, end };
}

const write = (folder: string, record: ServersRecord) =>
  writeFileSync(join(folder, 'servers.json'), JSON.stringify(record));

const temporalOf = (process: ServersRecord['owner']) => ({
  address: '127.0.0.1:7233',
  namespace: 'default',
  uiUrl: null,
  process,
});

test('a project nobody holds is claimed, and the claim can be given up', async () => {
  const folder = newFolder();
  expect(await claimServers(folder)).toBeNull();
  expect(await runningServers(folder)).toBeNull();
  await publishServers(folder, { temporal: temporalOf(await identify(process.pid)), postgres: null });
  expect(await runningServers(folder)).toMatchObject({ temporal: { address: '127.0.0.1:7233' } });
  releaseServers(folder);
  expect(await runningServers(folder)).toBeNull();
});

test('the record is closed to other users, since it holds a password', async () => {
  const folder = newFolder();
  await claimServers(folder);
  expect(statSync(join(folder, 'servers.json')).mode & 0o077).toBe(0);
  await publishServers(folder, { temporal: null, postgres: null });
  expect(statSync(join(folder, 'servers.json')).mode & 0o077).toBe(0);
});

test('the servers of a living process are handed out', async () => {
  const folder = newFolder();
  const other = await startIdle();
  write(folder, { owner: other.identity, ready: true, temporal: temporalOf(other.identity), postgres: null });
  expect(await claimServers(folder)).toMatchObject({ owner: other.identity });
});

test('one that is still starting is waited for', async () => {
  const folder = newFolder();
  const other = await startIdle();
  const record = { owner: other.identity, ready: false, temporal: null, postgres: null };
  write(folder, record);
  const claim = claimServers(folder);
  write(folder, { ...record, ready: true });
  expect(await claim).toMatchObject({ ready: true });
});

test('a claim is taken over when its owner dies while starting', async () => {
  const folder = newFolder();
  const other = await startIdle();
  write(folder, { owner: other.identity, ready: false, temporal: null, postgres: null });
  const claim = claimServers(folder);
  await other.end();
  expect(await claim).toBeNull();
});

test('servers that outlived their owner are ended before the project is claimed', async () => {
  const folder = newFolder();
  const [owner, server] = [await startIdle(), await startIdle()];
  await owner.end();
  write(folder, { owner: owner.identity, ready: true, temporal: temporalOf(server.identity), postgres: null });
  expect(await claimServers(folder)).toBeNull();
  expect(await isRunning(server.identity)).toBe(false);
});

test('a process that got the pid of a dead server is left alone', async () => {
  const folder = newFolder();
  const [owner, bystander] = [await startIdle(), await startIdle()];
  await owner.end();
  const stale = { ...bystander.identity, startedAt: 'another boot' };
  write(folder, { owner: owner.identity, ready: true, temporal: temporalOf(stale), postgres: null });
  expect(await claimServers(folder)).toBeNull();
  expect(await isRunning(bystander.identity)).toBe(true);
});

test('a record that a crash cut short is nobody’s', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'servers.json'), '{ "owner": {');
  expect(await claimServers(folder)).toBeNull();
  expect(JSON.parse(readFileSync(join(folder, 'servers.json'), 'utf8'))).toMatchObject({ owner: { pid: process.pid } });
});

test('of several that claim at once, one wins', async () => {
  const folder = newFolder();
  const claims = [claimServers(folder), claimServers(folder), claimServers(folder)];
  await Promise.race(claims);
  await publishServers(folder, { temporal: null, postgres: null });
  const results = await Promise.all(claims);
  expect(results.filter((result) => result === null)).toHaveLength(1);
});
