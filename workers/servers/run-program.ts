/**
 * Runs a short-lived program to its end and collects what it printed. No shell takes part, so arguments are never
 * interpreted.
 */
import { spawn } from 'node:child_process';
import type { Environment } from './environment.ts';

export interface ProgramResult {
  /** Exit code; null when the program could not be started, was killed or took too long. */
  readonly code: number | null;
  readonly stdout: string;
  /** What it wrote to standard error, or why it could not be started. */
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Environment;
  readonly uid?: number;
  readonly gid?: number;
  /** Longest run in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
}

/** Never rejects: a program that is missing or fails gives a result whose `code` is not 0. */
export function runProgram(file: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const { timeoutMs = 60_000, env, ...rest } = options;
    const child = spawn(file, args, {
      ...rest,
      ...(env === undefined ? {} : { env: { ...env } }),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // Not the `timeout` of spawn, whose timer stays when the program is missing.
    const timer = setTimeout(() => child.kill(), timeoutMs);
    const settle = (result: ProgramResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (error) => settle({ code: null, stdout, stderr: error.message }));
    child.once('close', (code) => settle({ code, stdout, stderr }));
  });
}
