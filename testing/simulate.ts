/**
 * `simulate`: a definition walked on a virtual clock, with mocks instead of handlers and people.
 *
 * What it is: the same walker as in production, on another binding of its port. Days pass in milliseconds, and the same
 * arguments always give the same document.
 * What it is not: a test of handlers; commands are answered by mocks.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import type { ChildEntry, RunDocument, RunRecord } from '../definitions/records.ts';
import { runDocument } from '../definitions/run-document.ts';
import { parseTimestamp } from '../definitions/timestamps.ts';
import type { Calendar } from '../definitions/time/calendar.ts';
import type { Definition } from '../definitions/types.ts';
import { MockReplies } from './mock-replies.ts';
import { type Mocks, prepareMocks } from './mocks.ts';
import { SimulatedCalendars } from './simulated-calendars.ts';
import { SimulatedWorld } from './simulated-effects.ts';
import type { SimulatedRun } from './simulated-run.ts';
import { SimulatedRuns } from './simulated-runs.ts';
import { drive } from './simulation.ts';
import { prepareStart, readVersion, type StartOptions } from './start.ts';
import { VirtualClock } from './virtual-clock.ts';
import { type SimulationProgress, VisitLimit } from './visit-limit.ts';

export interface SimulateOptions extends StartOptions {
  readonly mocks?: Mocks;
  /** Definitions of which `workflow` nodes begin runs; those are then walked too, on the same clock. */
  readonly definitions?: readonly Definition[];
  /** Calendars that delays count on. Default: there are none. */
  readonly calendars?: readonly Calendar[];
  /** When the run starts: a timestamp with an offset. Default `2027-01-01T00:00:00Z`. */
  readonly start?: string;
  /** Goes on in a fresh history after so many steps of the run's story; 1: at every safe point. Default: never. */
  readonly rollover?: number;
  /** Visits, of all runs together, after which a run that goes on is given up. Default 200,000. */
  readonly maxVisits?: number;
  /** Hears now and then how far the simulation is. */
  readonly onProgress?: (progress: SimulationProgress) => void;
  /** Draws for the jitter of retries, from 0 up to 1. Default: no jitter, so that a retry waits exactly its interval. */
  readonly random?: () => number;
  /**
   * Takes the run's story line by line, and then that of each run that it began, when all is over: the decisions too, with
   * the refusal of those that do not count.
   */
  readonly onRecord?: (record: RunRecord) => void;
}

export const DEFAULT_START = '2027-01-01T00:00:00Z';

/**
 * Runs a definition and gives the document of the run.
 *
 * A run that waits for something that no mock gives ends the simulation in the state `running`, with `waiting` saying
 * for what. A run that fails or is cancelled has a document like any other.
 *
 * A run that a run begins is walked where its definition is given, and else answered by a mock of `workflows`; its
 * document is under `children`.
 *
 * @throws FermataError `definition.invalid`, `definition.unsupported`, `event.not_matched`, `run.input_invalid`,
 * `mocks.invalid`, `calendar.invalid` or `usage.invalid`, before the run begins; `simulation.too_long` past `maxVisits`;
 * `mocks.invalid` also when a `when` cannot be evaluated, or nothing says what a run does that a node begins.
 */
export async function simulate(definition: Definition, options: SimulateOptions = {}): Promise<RunDocument> {
  const { rollover = Infinity } = options;
  if (!(rollover >= 1)) throw new FermataError('usage.invalid', `rollover must be 1 or more, not ${rollover}`);
  const startMs = readStart(options.start ?? DEFAULT_START);
  const mocks = prepareMocks(options.mocks ?? {});
  const { start, key } = prepareStart(definition, startMs, options);
  const others = (options.definitions ?? []).map((other) => readVersion(other, options.handlers ?? {}));
  const runs = new SimulatedRuns({
    definitions: [...others, start.definition],
    replies: new MockReplies(mocks.workflows, 'workflows'),
  });
  const replies = new MockReplies(mocks.commands);
  const { random } = options;
  const limit = new VisitLimit(options);
  const clock = new VirtualClock(startMs);
  const calendars = new SimulatedCalendars(options.calendars);
  const world = new SimulatedWorld({ clock, replies, rollover, runs, calendars, limit, ...(random ? { random } : {}) });
  const run = await drive(start, world, mocks);
  for (const one of runs.all) one.world.records.forEach((record) => options.onRecord?.(record));
  return key === null ? documentOf(run) : { ...documentOf(run), key };
}

function documentOf(run: SimulatedRun): RunDocument {
  const { start, world, current } = run;
  const { vars, startedAt } = current.view();
  const begun = world.runs.begunBy(run).map((child): [string, Pick<ChildEntry, 'state' | 'run'>] => {
    const document = documentOf(child);
    return [child.id, { state: document.state, run: document }];
  });
  const header = {
    runId: run.id,
    definitionId: start.definition.id,
    version: null,
    startedAt,
    vars,
    attempts: world.replies.attempts,
    initiator: start.run.initiator,
    children: new Map(begun),
  };
  return runDocument(header, world.records);
}

function readStart(text: string): number {
  const startMs = parseTimestamp(text);
  if (startMs !== null) return startMs;
  throw new FermataError('usage.invalid', `start must be a timestamp such as "${DEFAULT_START}", not "${text}"`);
}
