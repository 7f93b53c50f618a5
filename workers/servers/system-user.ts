/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to be root, so root lends it another one.
 */
import { FermataError } from '../../definitions/fermata-error.ts';
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { runProgram } from './run-program.ts';

export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Gives null when we are not root, so that a server may run as ourselves. @throws FermataError `server.unavailable` */
export async function userForPostgres(uid: number | undefined = process.getuid?.()): Promise<SystemUser | null> {
  if (uid !== 0) return null;
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = await lookUp(name);
    if (user !== null) return user;
  }
  const message =
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. Create one, or set DATABASE_URL.';
  throw new FermataError('server.unavailable', message);
}

async function lookUp(name: string): Promise<SystemUser | null> {
  const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return null;
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Whether the user can reach what lies in `folder`: every folder on the way lets it through. */
export function canEnter(folder: string, user: SystemUser): boolean {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (!letsThrough(path, user)) return false;
    if (path === dirname(path)) return true;
  }
}

/** A folder that does not exist yet is one that we will make. */
function letsThrough(path: string, user: SystemUser): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  const bit = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
  return (stat.mode & bit) !== 0;
}

/** Makes a folder that belongs to `user` (to ourselves when null), closed to everybody else. */
export function makePrivateFolder(path: string, user: SystemUser | null): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  if (user !== null) chownSync(path, user.uid, user.gid);
}
