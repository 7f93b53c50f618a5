/**
 * One server process that we start and stop: its output goes to a log file, and it ends with us (`child-guard.ts`).
 *
 * 1. It runs in a session of its own, so that Ctrl-C reaches this process first and workers can drain before their
 *    servers go.
 * 2. It does not keep this process alive.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ChildGuard } from './child-guard.ts';
import type { Environment } from './environment.ts';

export interface ServerProcess {
  readonly pid: number;
  /** Whether it has ended, by itself or by {@link ServerProcess.stop}. */
  ended(): boolean;
  /** Resolves when it has. */
  readonly exit: Promise<void>;
  /** The last lines of its log, to explain a start that failed. */
  logTail(): string;
  /** Asks it to end, waits for that, and kills it after `graceMs` (default 10,000). Idempotent. */
  stop(graceMs?: number): Promise<void>;
}

export interface ServerProcessOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly logFile: string;
  /** The signal on which this server shuts down cleanly. */
  readonly stopSignal: NodeJS.Signals;
  readonly guard: ChildGuard;
  readonly uid?: number;
  readonly gid?: number;
}

/** @throws what `spawn` gives when the program cannot be started. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { logFile, stopSignal, guard } = options;
  const child = spawnDetached(options);
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.file} started without a process id.`);
  child.unref();
  guard.watch(pid, stopSignal);
  void exit.then(() => guard.release(pid));
  const ended = () => child.exitCode !== null || child.signalCode !== null;

  return {
    pid,
    ended,
    exit,
    logTail: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12).join('\n'),
    async stop(graceMs = 10_000) {
      if (ended()) return;
      child.ref();
      child.kill(stopSignal);
      const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exit;
      clearTimeout(late);
    },
  };
}

/** What every server of ours shows of its process. */
export function lifeOf({ pid, exit, logTail, stop }: ServerProcess) {
  return { pid, exit, logTail, stop: () => stop() };
}

function spawnDetached({ file, args, cwd, env, logFile, uid, gid }: ServerProcessOptions): ChildProcess {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w', 0o600);
  try {
    return spawn(file, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', log, log],
      detached: true,
      windowsHide: true,
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
  } finally {
    closeSync(log);
  }
}

/** What a server needs of our environment: none of our settings, which it might take for its own. */
export function serverEnvironment(env: Environment): Environment {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE', 'LOCALAPPDATA', 'APPDATA'];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
