/**
 * A process of its own that a test may kill: a worker, a publisher, any program of the tests.
 *
 * 1. It is known, and ended, by its pid alone.
 * 2. It runs from source, as the tests do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface TestProcess {
  readonly pid: number;
  /** What it has written to both outputs so far. */
  readonly output: () => string;
  /** Resolves when the output has the text. @throws when the process ends before */
  says(text: string): Promise<void>;
  /** Ends it, and waits for its end. Harmless when it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves with its exit code, or `null` where a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** @param program URL of its main module */
export async function startProcess(program: URL, env: { readonly [name: string]: string }): Promise<TestProcess> {
  const child = spawn(process.execPath, ['--conditions=fermata-source', '--import', 'tsx', fileURLToPath(program)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  await once(child, 'spawn');
  return {
    pid: child.pid as number,
    output: () => output,
    async says(text) {
      const said = new Promise<void>((resolve) => {
        const look = (): void => {
          if (output.includes(text)) resolve();
        };
        listeners.add(look);
        look();
      });
      const ended = exited.then((code) => {
        if (output.includes(text)) return;
        throw new Error(`the process ended with ${code} before it said "${text}":\n${output}`);
      });
      await Promise.race([said, ended]);
      ended.catch(() => undefined);
    },
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) process.kill(child.pid as number, signal);
      await exited;
    },
    exited,
  };
}

/** A worker of `test/cases/worker-main.ts`, ready to take work. */
export async function startWorkerProcess(env: { readonly [name: string]: string }): Promise<TestProcess> {
  const worker = await startProcess(new URL('../cases/worker-main.ts', import.meta.url), env);
  await worker.says('ready');
  return worker;
}
