/** Looks a program up in folders, as a shell does on PATH, without starting one. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { executableName } from './cache-folder.ts';
import type { Environment } from './environment.ts';

/** Whether `path` is a file that may be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Path of the first executable of that name on PATH; null when there is none. */
export function findOnPath(name: string, env: Environment): string | null {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, executableName(name))).find(isExecutable) ?? null;
}
