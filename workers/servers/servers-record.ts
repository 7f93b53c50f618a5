/**
 * `.fermata/servers.json`: which process runs this project's servers, and where they are.
 *
 * 1. The file exists from before the first server starts until after the last one stopped; making it is the lock.
 * 2. A file whose owner is gone is stale: its servers, if any are left, are stopped before the project is claimed anew.
 * 3. It holds the database's password, so only its owner may read it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../../definitions/fermata-error.ts';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';

export interface ServersRecord {
  readonly owner: ProcessIdentity;
  /** False while the servers are starting. */
  readonly ready: boolean;
  /** Null when Temporal is not ours. */
  readonly temporal: RecordedTemporal | null;
  /** Null when PostgreSQL is not ours. */
  readonly postgres: RecordedPostgres | null;
}

export interface RecordedTemporal {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string | null;
  readonly process: ProcessIdentity;
}

export interface RecordedPostgres {
  readonly url: string;
  readonly process: ProcessIdentity;
}

/** How long another process may take to bring its servers up before we give up waiting for it. */
const OTHER_START_MS = 120_000;
/** How long servers that lost their owner may take to end. */
const LEFTOVER_MS = 15_000;

const recordPath = (folder: string) => join(folder, 'servers.json');

/** What another living process runs for this project, or null. For commands that only want the addresses. */
export async function runningServers(folder: string): Promise<ServersRecord | null> {
  const record = read(folder);
  return record?.ready && (await isRunning(record.owner)) ? record : null;
}

/**
 * Claims the project for this process and gives null; or gives the servers of another process once they are up.
 * @throws FermataError `server.unavailable` when another process claims it but its servers do not come up
 */
export async function claimServers(folder: string): Promise<ServersRecord | null> {
  for (;;) {
    if (await create(folder)) return null;
    const record = read(folder);
    if (record === null) continue;
    if (!(await isRunning(record.owner))) {
      await clearLeftovers(folder, record);
      continue;
    }
    const settled = await waitUntil(() => settledOf(folder, record.owner), { timeoutMs: OTHER_START_MS, everyMs: 200 });
    if (settled === null) {
      const message = `Process ${record.owner.pid} is starting the servers of ${folder}, but they are not up after ${OTHER_START_MS / 1000} s. End it and try again.`;
      throw new FermataError('server.unavailable', message, { pid: record.owner.pid });
    }
    if (settled !== 'gone') return settled;
  }
}

/** Writes what we started, for others to read. */
export async function publishServers(
  folder: string,
  servers: Pick<ServersRecord, 'temporal' | 'postgres'>,
): Promise<void> {
  const record: ServersRecord = { owner: await identify(process.pid), ready: true, ...servers };
  const whole = `${recordPath(folder)}.${process.pid}`;
  writeFileSync(whole, serialise(record), { mode: 0o600 });
  renameSync(whole, recordPath(folder));
}

/** Gives the project up; nothing that we started for it may run any more. */
export function releaseServers(folder: string): void {
  rmSync(recordPath(folder), { force: true });
}

async function create(folder: string): Promise<boolean> {
  const record: ServersRecord = { owner: await identify(process.pid), ready: false, temporal: null, postgres: null };
  try {
    writeFileSync(recordPath(folder), serialise(record), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (existsSync(recordPath(folder))) return false;
    throw error;
  }
}

function serialise(record: ServersRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** Null when there is no record. One that is unreadable was cut short by a crash, and so has no owner. */
function read(folder: string): ServersRecord | null {
  try {
    return JSON.parse(readFileSync(recordPath(folder), 'utf8')) as ServersRecord;
  } catch {
    return existsSync(recordPath(folder)) ? NOBODYS : null;
  }
}

const NOBODYS: ServersRecord = {
  owner: { pid: 0x7fff_ffff, startedAt: null },
  ready: false,
  temporal: null,
  postgres: null,
};

async function settledOf(folder: string, owner: ProcessIdentity): Promise<ServersRecord | 'gone' | null> {
  const record = read(folder);
  if (record === null || !(await isRunning(owner))) return 'gone';
  return record.ready ? record : null;
}

async function clearLeftovers(folder: string, record: ServersRecord): Promise<void> {
  await Promise.all([endProcess(record.temporal?.process, 'SIGTERM'), endProcess(record.postgres?.process, 'SIGINT')]);
  // Another process that cleared up as well may hold the project by now.
  if (read(folder)?.owner.pid === record.owner.pid) releaseServers(folder);
}

async function endProcess(identity: ProcessIdentity | undefined, signal: NodeJS.Signals): Promise<void> {
  if (identity === undefined || !(await isRunning(identity))) return;
  process.kill(identity.pid, signal);
  const ended = async () => ((await isRunning(identity)) ? null : true);
  if ((await waitUntil(ended, { timeoutMs: LEFTOVER_MS, everyMs: 50 })) !== null) return;
  process.kill(identity.pid, 'SIGKILL');
  await waitUntil(ended, { timeoutMs: LEFTOVER_MS, everyMs: 50 });
}
