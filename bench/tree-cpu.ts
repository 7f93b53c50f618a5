/**
 * CPU time of this process and of everything below it: workers, the Temporal server, PostgreSQL. Other processes of the
 * machine do not count, so it can be read on one that is shared.
 */
import { readdir, readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

interface Entry {
  readonly parent: number;
  readonly ticks: number;
}

/** Milliseconds so far, user and system; `null` where there is no `/proc`. */
export async function treeCpuMs(root = process.pid): Promise<number | null> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter(Number.isInteger);
  const read = await Promise.all(pids.map(async (pid) => [pid, await entryOf(pid)] as const));
  const entries = new Map(read.flatMap(([pid, entry]) => (entry === null ? [] : [[pid, entry] as const])));
  if (!entries.has(root)) return null;
  const inTree = (pid: number): boolean => {
    const entry = entries.get(pid);
    return pid === root || (entry !== undefined && entry.parent !== pid && inTree(entry.parent));
  };
  const ticks = [...entries].filter(([pid]) => inTree(pid)).reduce((sum, [, entry]) => sum + entry.ticks, 0);
  return ticks * MS_PER_TICK;
}

/** Own time and that of children which have ended. */
async function entryOf(pid: number): Promise<Entry | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field is a name in brackets and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent, utime, stime, cutime, cstime] = [1, 11, 12, 13, 14].map((place) => Number(fields[place]));
  return { parent: parent ?? 0, ticks: (utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0) };
}
