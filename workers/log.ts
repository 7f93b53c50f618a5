/** What the worker's own parts log through: structured lines, quiet in tests. */
import { inspect } from 'node:util';
import { DefaultLogger, type LogEntry, Runtime } from '@temporalio/worker';
import { reasonOf } from '../definitions/reason-of.ts';

export interface WorkerLog {
  debug(message: string, meta?: Record<string, unknown>): void;
  info(message: string, meta?: Record<string, unknown>): void;
  warn(message: string, meta?: Record<string, unknown>): void;
  error(message: string, meta?: Record<string, unknown>): void;
}

/** The logger of Temporal's runtime, so that a process has one. */
export function runtimeLog(): WorkerLog {
  return Runtime.instance().logger;
}

/**
 * Makes Temporal's runtime say nothing below a warning, and of a run that failed one line: it failed as its definition
 * says, and its story is in the records. Only before the first worker of the process.
 *
 * @param options.runs `false`: nothing of runs and attempts that failed; for whoever listens to `onStory`. Default `true`.
 */
export function quietRuntime({ runs = true }: { readonly runs?: boolean } = {}): void {
  Runtime.install({ logger: new DefaultLogger('WARN', (entry) => writeLine(entry, runs)) });
}

const OF_RUNS = new Set(['Workflow failed', 'Activity failed']);

function writeLine({ level, message, meta = {} }: LogEntry, runs: boolean): void {
  if (!runs && OF_RUNS.has(message)) return;
  const { workflowId, error } = meta as { readonly workflowId?: string; readonly error?: unknown };
  const line =
    message === 'Workflow failed' && workflowId !== undefined
      ? `the run ${workflowId} ended: ${reasonOf(error)}`
      : `${message} ${inspect(meta, { breakLength: Infinity, depth: 4 })}`;
  process.stderr.write(`${level} ${line}\n`);
}
