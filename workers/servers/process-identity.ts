/**
 * Tells whether a process that was written down is still the same one, since the system gives pids out again.
 */
import { readFileSync } from 'node:fs';
import { runProgram } from './run-program.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, as the system tells it; null where it does not (Windows). */
  readonly startedAt: string | null;
}

/** Identity of a running process. */
export async function identify(pid: number): Promise<ProcessIdentity> {
  return { pid, startedAt: await startOf(pid) };
}

/** Whether the process of that identity runs, zombies not counted. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return exists(identity.pid) && (await startOf(identity.pid)) === identity.startedAt;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function startOf(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (process.platform === 'linux') return startOnLinux(pid);
  const result = await runProgram('ps', ['-o', 'lstart=', '-p', String(pid)]);
  return result.stdout.trim();
}

/** The boot, and the clock tick of it at which the process started (field 22; the name before may hold blanks). */
function startOnLinux(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : `${boot} ${fields[19]}`;
  } catch {
    return 'ended';
  }
}
