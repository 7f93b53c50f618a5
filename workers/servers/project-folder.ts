/** The folders that hold the state of a project's servers, and temporary ones for servers that are thrown away. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_STATE_FOLDER } from './system-folders.ts';
import { canEnter, type SystemUser } from './system-user.ts';

/**
 * As root, others may pass through to what belongs to them but not look around; otherwise it is ours alone.
 */
const modeFor = (user: SystemUser | null) => (user === null ? 0o700 : 0o711);

/** `<project>/.fermata`, made when missing, and never committed. */
export function projectFolder(projectDir: string, user: SystemUser | null): string {
  const folder = join(projectDir, '.fermata');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, modeFor(user));
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  return folder;
}

/** A new folder that the lent user can reach too. */
export function temporaryFolder(user: SystemUser | null): string {
  const parent = user === null || canEnter(tmpdir(), user) ? tmpdir() : SYSTEM_STATE_FOLDER;
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'fermata-'));
  chmodSync(folder, modeFor(user));
  return folder;
}
