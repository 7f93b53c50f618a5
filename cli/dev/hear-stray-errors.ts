/**
 * Promises of handlers that fail when nobody waits for them any more. Node would end the process, and the servers with it.
 *
 * What it is not: for workers in production. There Node's way is right: end, and be started again.
 */
import type { Io } from '../io.ts';
import { printNotes } from '../output/print.ts';

/** Prints them from now on. Gives the way to stop that. */
export function hearStrayErrors(io: Io): () => void {
  const tell = (reason: unknown): void => {
    const stack = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    printNotes(io, (paint) => {
      const what = 'a promise was rejected and nobody waited for it; a deployed worker would end here';
      return `${paint.red('error')} ${what}\n${paint.dim(stack)}`;
    });
  };
  process.on('unhandledRejection', tell);
  return () => process.off('unhandledRejection', tell);
}
