/**
 * Ends our servers when this process is gone, however it went (Ctrl-C, an exception, `kill -9`).
 *
 * A small Node process of its own session reads a pipe that only we hold: when the pipe ends, we are dead, and the
 * guard stops what is still on its list. Signal handlers could not do that for SIGKILL, and would take Ctrl-C away
 * from the application.
 *
 * 1. What was stopped in the regular way is taken off the list before its pid can be used by another process.
 * 2. The guard keeps neither this process nor itself alive.
 */
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

export interface ChildGuard {
  /** From now on the process ends with us: by `signal`, and by SIGKILL ten seconds later. */
  watch(pid: number, signal: NodeJS.Signals): void;
  release(pid: number): void;
  /** From now on the folder is removed with us. */
  watchFolder(path: string): void;
  releaseFolder(path: string): void;
  /** Ends the guard; call it when the list is empty. */
  close(): void;
}

/** Plain JavaScript in a string, since it must run from the sources and from the built package alike. */
const SCRIPT = `
const { rmSync } = require('node:fs');
const processes = new Map();
const folders = new Set();
const verbs = {
  watch: (pid, signal) => processes.set(pid, signal),
  release: (pid) => processes.delete(pid),
  watchFolder: (path) => folders.add(path),
  releaseFolder: (path) => folders.delete(path),
};
const kill = (pid, signal) => { try { process.kill(pid, signal); return true; } catch { return false; } };
const finish = () => {
  for (const [pid, signal] of processes) kill(pid, signal);
  const started = Date.now();
  const check = setInterval(() => {
    for (const pid of processes.keys()) if (!kill(pid, 0)) processes.delete(pid);
    if (processes.size > 0 && Date.now() - started < 10000) return;
    clearInterval(check);
    for (const pid of processes.keys()) kill(pid, 'SIGKILL');
    for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }, 50);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) { const [verb, ...args] = JSON.parse(line); verbs[verb](...args); }
});
process.stdin.once('close', finish);
`;

/** Starts a guard for this process. */
export function startChildGuard(): ChildGuard {
  const guard = spawn(process.execPath, ['-e', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
    env: {},
  });
  guard.on('error', ignore);
  guard.stdin.on('error', ignore);
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  const tell = (...message: (string | number)[]) => guard.stdin.write(`${JSON.stringify(message)}\n`);
  return {
    watch: (pid, signal) => void tell('watch', pid, signal),
    release: (pid) => void tell('release', pid),
    watchFolder: (path) => void tell('watchFolder', path),
    releaseFolder: (path) => void tell('releaseFolder', path),
    close: () => void guard.stdin.end(),
  };
}

/** A guard that died leaves us as we were without one. */
function ignore(): void {}
