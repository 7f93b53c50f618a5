/**
 * Calls of the command line for tests: in this process with a world of their own, or as a real child process.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Io } from '../../cli/io.ts';
import { runCli } from '../../cli/run-cli.ts';

export interface Outcome {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  document<T = Record<string, unknown>>(): T;
}

export interface World {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Io['env'];
  readonly interruption?: AbortSignal;
}

/** In this process. */
export async function callCli(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof written): Io['stdout'] => ({
    write: (text) => {
      written[name] += text;
    },
    colours: false,
    terminal: null,
  });
  const io: Io = {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    readStdin: async () => world.stdin ?? '',
    env: world.env ?? {},
    cwd: world.cwd ?? '/nowhere',
    now: () => Date.parse('2027-01-01T00:00:00Z'),
    interruption: () => world.interruption ?? new AbortController().signal,
  };
  const exit = await runCli(argv, io);
  return outcome(exit, written.stdout, written.stderr);
}

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
/** `npm run fermata` does the same. */
const FROM_SOURCE = ['--conditions=fermata-source', '--import', import.meta.resolve('tsx'), MAIN];

export function spawnCli(argv: readonly string[], { cwd = process.cwd(), env = {} }: World = {}) {
  return spawn(process.execPath, [...FROM_SOURCE, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** As a process of its own, to its end. */
export async function callProcess(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const child = spawnCli(argv, world);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  child.stdin.end(world.stdin ?? '');
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return outcome(exit, written.stdout, written.stderr);
}

function outcome(exit: number | null, stdout: string, stderr: string): Outcome {
  return { exit, stdout, stderr, document: <T>() => JSON.parse(stdout) as T };
}

/** A folder with these files, gone when the test is over. */
export function folderWith(files: { readonly [name: string]: unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}
