/**
 * `simulate`: a definition walked on a virtual clock, with mocks instead of handlers and people.
 *
 * What it is: the same walker as in production, on another binding of its port. Days pass in milliseconds, and the same
 * arguments always give the same document.
 * What it is not: a test of handlers; commands are answered by mocks.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import type { RunDocument, RunRecord } from '../definitions/records.ts';
import { runDocument } from '../definitions/run-document.ts';
import { parseTimestamp } from '../definitions/timestamps.ts';
import type { Definition } from '../definitions/types.ts';
import { MockReplies } from './mock-replies.ts';
import { type Mocks, prepareMocks } from './mocks.ts';
import { SimulatedWorld } from './simulated-effects.ts';
import { drive } from './simulation.ts';
import { prepareStart, type StartOptions } from './start.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface SimulateOptions extends StartOptions {
  readonly mocks?: Mocks;
  /** When the run starts: a timestamp with an offset. Default `2027-01-01T00:00:00Z`. */
  readonly start?: string;
  /** Goes on in a fresh history after so many steps of the run's story; 1: at every safe point. Default: never. */
  readonly rollover?: number;
  /** Draws for the jitter of retries, from 0 up to 1. Default: no jitter, so that a retry waits exactly its interval. */
  readonly random?: () => number;
  /** Takes the run's story line by line, when it is over: the decisions too, with the refusal of those that do not count. */
  readonly onRecord?: (record: RunRecord) => void;
}

export const DEFAULT_START = '2027-01-01T00:00:00Z';

/**
 * Runs a definition and gives the document of the run.
 *
 * A run that waits for something that no mock gives ends the simulation in the state `running`, with `waiting` saying
 * for what. A run that fails or is cancelled has a document like any other.
 *
 * @throws FermataError `definition.invalid`, `definition.unsupported`, `event.not_matched`, `run.input_invalid`,
 * `mocks.invalid` or `usage.invalid`, all before the run begins.
 */
export async function simulate(definition: Definition, options: SimulateOptions = {}): Promise<RunDocument> {
  const { rollover = Infinity } = options;
  if (!(rollover >= 1)) throw new FermataError('usage.invalid', `rollover must be 1 or more, not ${rollover}`);
  const startMs = readStart(options.start ?? DEFAULT_START);
  const mocks = prepareMocks(options.mocks ?? {});
  const start = prepareStart(definition, startMs, options);
  const replies = new MockReplies(mocks.commands);
  const { random } = options;
  const clock = new VirtualClock(startMs);
  const world = new SimulatedWorld({ clock, replies, rollover, ...(random ? { random } : {}) });
  const { vars } = await drive(start, world, mocks);
  if (options.onRecord !== undefined) world.records.forEach((record) => options.onRecord?.(record));
  const header = { runId: start.run.id, definitionId: definition.id, version: null, startedAt: startMs };
  return runDocument({ ...header, vars, attempts: replies.attempts }, world.records);
}

function readStart(text: string): number {
  const startMs = parseTimestamp(text);
  if (startMs !== null) return startMs;
  throw new FermataError('usage.invalid', `start must be a timestamp such as "${DEFAULT_START}", not "${text}"`);
}
