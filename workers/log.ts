/** What the worker's own parts log through: structured lines, quiet in tests. */
import { DefaultLogger, Runtime } from '@temporalio/worker';

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

/** Makes Temporal's runtime say nothing below a warning. Only before the first worker of the process. */
export function quietRuntime(): void {
  Runtime.install({ logger: new DefaultLogger('WARN') });
}
