import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../../definitions/search-attributes.ts';
import { runningServers } from '../../../workers/servers/servers-record.ts';
import { type Servers, startServers } from '../../../workers/servers/start-servers.ts';
import { tcpRefusal } from '../../../workers/servers/tcp-probe.ts';
import { waitUntil } from '../../../workers/servers/wait-until.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../../setup/temporal.ts';
import { holdServers } from './fixtures/held-servers.ts';
import { query } from './fixtures/query.ts';

const open: Servers[] = [];
afterEach(async () => {
  for (const servers of open.splice(0)) await servers.stop();
});

function projectIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'fermata-test-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startPersistent(projectDir: string, log: string[] = []): Promise<Servers> {
  const servers = await startServers({
    projectDir,
    env: process.env,
    log: (line) => log.push(line),
    temporal: 'own',
    postgres: 'own',
    persistent: true,
    ports: 'free',
  });
  open.push(servers);
  return servers;
}

async function withClient<T>(servers: Servers['temporal'], use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: servers.address });
  try {
    return await use(new Client({ connection, namespace: servers.namespace }));
  } finally {
    await connection.close();
  }
}

const startRun = (client: Client, workflowId: string, state: string) =>
  client.workflow.start('unattended', {
    workflowId,
    taskQueue: 'nobody',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: defineSearchAttributeKey('FermataState', 'KEYWORD'), value: state },
      { key: defineSearchAttributeKey('FermataVersion', 'INT'), value: 3 },
    ]),
  });

function portOf(address: string): number {
  return Number(/:(\d+)(\/|$)/.exec(address)?.[1]);
}

async function closed(address: string): Promise<true | null> {
  return (await tcpRefusal('127.0.0.1', portOf(address))) === null ? null : true;
}

test('the server of the test run knows every search attribute', async () => {
  const names = await withClient(
    { address: temporalAddress(), namespace: temporalNamespace(), uiUrl: null, started: false },
    async ({ connection }) =>
      (await connection.operatorService.listSearchAttributes({ namespace: temporalNamespace() })).customAttributes,
  );
  expect(Object.keys(names)).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
  expect(await query(inject('postgresUrl'), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('runs and rows survive a stop and a start', async () => {
  const projectDir = projectIn(tmpdir());
  const first = await startPersistent(projectDir);
  await withClient(first.temporal, (client) => startRun(client, 'kept', 'running'));
  await query(first.postgres.url, 'create table kept as select 42 as answer');
  await first.stop();

  const second = await startPersistent(projectDir);
  const status = await withClient(second.temporal, async (client) => {
    const description = await client.workflow.getHandle('kept').describe();
    return description.status.name;
  });
  expect(status).toBe('RUNNING');
  expect(await query(second.postgres.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('servers that are killed come back at the same addresses with what they held, and the record names the new ones', async () => {
  const projectDir = projectIn(tmpdir());
  const log: string[] = [];
  const servers = await startPersistent(projectDir, log);
  await withClient(servers.temporal, (client) => startRun(client, 'kept', 'running'));
  await query(servers.postgres.url, 'create table kept as select 42 as answer');
  const pids = async () => {
    const record = await runningServers(join(projectDir, '.fermata'));
    return [record?.temporal?.process.pid ?? 0, record?.postgres?.process.pid ?? 0];
  };
  const before = await pids();
  for (const pid of before) process.kill(pid, 'SIGKILL');
  const back = () => (log.filter((line) => line.includes('runs again')).length === 2 ? true : null);
  expect(await waitUntil(back, { timeoutMs: 60_000 })).toBe(true);
  const status = await withClient(servers.temporal, async (client) => {
    const description = await client.workflow.getHandle('kept').describe();
    return description.status.name;
  });
  expect(status).toBe('RUNNING');
  expect(await query(servers.postgres.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  const after = await pids();
  expect(after.filter((pid) => pid === 0 || before.includes(pid))).toEqual([]);
});

test('a stop ends every server, leaves no record, and may be called twice', async () => {
  const projectDir = projectIn(tmpdir());
  const servers = await startPersistent(projectDir);
  expect(await runningServers(join(projectDir, '.fermata'))).toMatchObject({
    ready: true,
    owner: { pid: process.pid },
    temporal: { address: servers.temporal.address },
  });
  await Promise.all([servers.stop(), servers.stop()]);
  expect(await closed(servers.temporal.address)).toBe(true);
  expect(await closed(servers.postgres.url)).toBe(true);
  expect(await runningServers(join(projectDir, '.fermata'))).toBeNull();
});

test('a second process of the same project gets the same servers, and its stop leaves them running', async () => {
  const projectDir = projectIn(tmpdir());
  const held = await holdServers(projectDir);
  const log: string[] = [];
  const second = await startPersistent(projectDir, log);
  expect(second.temporal).toEqual({ ...held.temporal, started: false });
  expect(second.postgres).toEqual({ ...held.postgres, started: false });
  expect(log.join()).toContain(`process ${held.child.pid}`);
  await second.stop();
  expect(await closed(held.temporal.address)).toBeNull();
  await held.end('SIGTERM');
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  'when the process that holds them ends by %s, its servers end and the next one goes on with their state',
  async (signal) => {
    const projectDir = projectIn(tmpdir());
    const held = await holdServers(projectDir);
    await withClient(held.temporal, (client) => startRun(client, 'kept', 'running'));
    await query(held.postgres.url, 'create table kept as select 42 as answer');
    await held.end(signal);

    const next = await startPersistent(projectDir);
    expect(next.temporal.started).toBe(true);
    await withClient(next.temporal, (client) => client.workflow.getHandle('kept').describe());
    expect(await query(next.postgres.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await waitUntil(() => closed(held.temporal.address), { timeoutMs: 15_000 })).toBe(true);
    expect(await waitUntil(() => closed(held.postgres.url), { timeoutMs: 15_000 })).toBe(true);
  },
);

test('servers that are thrown away take their folder with them', async () => {
  const parent = projectIn(tmpdir());
  const servers = await startServers({
    projectDir: parent,
    env: process.env,
    log: () => {},
    temporal: 'own',
    postgres: 'own',
    persistent: false,
  });
  const [row] = await query(servers.postgres.url, "select current_setting('data_directory') as folder");
  const folder = String(row?.['folder']);
  expect(statSync(folder).isDirectory()).toBe(true);
  await servers.stop();
  expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  expect(statSync(join(parent, '.fermata'), { throwIfNoEntry: false })).toBeUndefined();
});

test('what the environment names is used, prepared, and left running', async () => {
  const namespace = uniqueName('bare').toLowerCase();
  await withClient({ address: temporalAddress(), namespace, uiUrl: null, started: false }, async ({ connection }) => {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
  });
  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
    DATABASE_URL: inject('postgresUrl'),
  };
  const log: string[] = [];
  const options = { projectDir: tmpdir(), env, log: (line: string) => log.push(line), persistent: true };
  const servers = await waitUntil(() => startServers(options).catch(() => null), { timeoutMs: 20_000 });
  expect(servers).toMatchObject({
    temporal: { address: temporalAddress(), namespace, started: false },
    postgres: { url: inject('postgresUrl'), started: false },
  });
  expect(log.join('\n')).toContain('Registered the search attributes FermataState');
  await servers?.stop();
  expect(await closed(temporalAddress())).toBeNull();
});

test('a project in a folder closed to others keeps its cluster where PostgreSQL can reach it, says where, and finds it again', async () => {
  const shut = projectIn(homedir());
  chmodSync(shut, 0o700);
  const projectDir = join(shut, 'app');
  mkdirSync(projectDir);
  const log: string[] = [];
  const first = await startPersistent(projectDir, log);
  const [row] = await query(first.postgres.url, "select current_setting('data_directory') as folder");
  const dataFolder = String(row?.['folder']);
  onTestFinished(() => rmSync(join(dataFolder, '..'), { recursive: true, force: true }));
  // Only root lends PostgreSQL another user, who cannot enter the project then.
  const asRoot = process.getuid?.() === 0;
  expect(dataFolder.startsWith(asRoot ? '/var/lib/fermata/app-' : `${projectDir}/.fermata/`)).toBe(true);
  expect(log.join('\n').includes(dataFolder)).toBe(asRoot);
  expect(JSON.parse(readFileSync(join(projectDir, '.fermata', 'postgres.json'), 'utf8'))).toMatchObject({ dataFolder });
  await query(first.postgres.url, 'create table kept as select 42 as answer');
  await first.stop();

  const second = await startPersistent(projectDir);
  expect(await query(second.postgres.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});
