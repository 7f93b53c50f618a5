/**
 * Runs of one tenant: started by hand, looked at, waited for, cancelled.
 *
 * Invariants:
 * 1. A run of another tenant does not exist here: every call asks the tenant's rows first.
 * 2. A start id begins one run for ever, also after Temporal has forgotten it. Equal starts with one id, at once or
 *    later, are all answered with that run.
 */
import { randomBytes } from 'node:crypto';
import { FermataError } from '../definitions/fermata-error.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { forgedText } from '../definitions/json/kept-value.ts';
import type { RunDocument } from '../definitions/records.ts';
import { startFacts } from '../definitions/start-facts.ts';
import type { Initiator, Json } from '../definitions/types.ts';
import type { Page, RunFilter, RunSummary, StoredRun } from '../store/index.ts';
import type { RunView } from '../workflows/run-view.ts';
import { beginRun, type StartStatus } from './begin-run.ts';
import { cancelRun, type CancelOptions } from './cancel-run.ts';
import {
  anything,
  checkArgument,
  checkOptions,
  eitherOf,
  fields,
  id,
  milliseconds,
  oneOf,
  type Rules,
  runState,
  shortId,
  text,
  wholeNumber,
} from './check-arguments.ts';
import type { ClientParts } from './client-parts.ts';
import { runIdFor } from './run-id.ts';
import { resultOf, type ResultOptions } from './run-result.ts';
import { wholeValue } from './whole-value.ts';
import { documentOf, viewOf, watchRun, type WatchOptions } from './run-view.ts';

export interface StartOptions {
  readonly input?: Json;
  /** Last part of the run id, for a start that may be repeated. Default: a random one. */
  readonly id?: string;
  /** Default: the active version. */
  readonly version?: number;
  /** Who starts it: an id, or one of a kind. Default: the user `client`. */
  readonly initiator?: string | Initiator;
}

const START_OPTIONS: Rules<StartOptions> = {
  input: anything,
  id: shortId,
  version: wholeNumber,
  initiator: eitherOf(id, fields<Initiator>({ id, kind: oneOf(['user', 'event', 'schedule', 'run']) }, ['id', 'kind'])),
};

const RUN_FILTER: Rules<RunFilter> = {
  definitionId: id,
  state: runState,
  entity: fields({ type: text, id: text }, ['type']),
  eventId: id,
  limit: wholeNumber,
  cursor: text,
};

/** A run that was started or found. */
export interface RunHandle {
  readonly id: string;
  readonly definitionId: string;
  readonly version: number | null;
  result(options?: ResultOptions): Promise<Json>;
  state(): Promise<RunView>;
  show(): Promise<RunDocument>;
  watch(options?: WatchOptions): AsyncGenerator<RunDocument, void, undefined>;
  cancel(options?: CancelOptions): Promise<void>;
}

export interface StartedRun extends RunHandle {
  readonly status: StartStatus;
}

export class Runs {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /**
   * Starts a run by hand, of a disabled definition too: `enabled` is about events and schedules. The same start again
   * (definition, input, `id`) gives the run that is there. Where the definition has a `key`, the run may have to wait for
   * it, or be the one that has it: `status` says so.
   *
   * @throws FermataError `usage.invalid`, `definition.not_found`, `definition.version_not_found`, `run.input_invalid`,
   * `input.too_large`, `run.already_exists` where `id` began another run, `run.key_taken`, `temporal.unavailable` (starting again with the
   * same `id` is then safe)
   */
  async start(definitionId: string, options: StartOptions = {}): Promise<StartedRun> {
    checkArgument('runs.start.definitionId', definitionId, id);
    checkOptions('runs.start', options, START_OPTIONS);
    const { store, settings } = this.#parts;
    const { tenant, taskQueue } = settings;
    const version = await store.definitions.get(definitionId, options.version);
    const runId = runIdFor(tenant, definitionId, options.id ?? randomId());
    const initiator = readInitiator(options.initiator);
    const facts = startFacts(version.document, {
      event: null,
      trigger: null,
      input: readInput(definitionId, options.input),
      run: { id: runId, version: version.version, tenant, initiator },
      atMs: Date.now(),
    });
    const { status, run } = await beginRun(this.#parts, {
      run: {
        ...facts,
        runId,
        definitionId,
        version: version.version,
        hash: version.hash,
        eventId: null,
        initiator,
        taskQueue,
      },
      version,
      versionGiven: options.version !== undefined,
    });
    return { ...this.#handle(run), status };
  }

  /** @throws FermataError `run.not_found` */
  async get(runId: string): Promise<RunHandle> {
    checkArgument('runs.get.runId', runId, id);
    return this.#handle(await this.#parts.store.runs.get(runId));
  }

  /** Newest first, a page at a time. */
  async list(filter: RunFilter = {}): Promise<Page<RunSummary>> {
    checkOptions('runs.list', filter, RUN_FILTER);
    return await this.#parts.store.runs.list(filter);
  }

  /**
   * The run as `fermata runs show --json` prints it. Of an open run the rows may be a moment behind; where a worker
   * answers, what it waits for and its variables come from the run itself.
   * @throws FermataError `run.not_found`
   */
  async show(runId: string): Promise<RunDocument> {
    checkArgument('runs.show.runId', runId, id);
    return await documentOf(this.#parts, runId);
  }

  /**
   * Waits until the run has completed and gives its output, whole: also what is kept outside the history.
   * @throws FermataError `run.failed` and `run.cancelled` with the error in `details.error`, `run.wait_timeout`,
   * `run.not_found`, `value.not_found`, `value.too_large`
   */
  async result(runId: string, options: ResultOptions = {}): Promise<Json> {
    checkArgument('runs.result.runId', runId, id);
    checkOptions('runs.result', options, { timeoutMs: milliseconds });
    const { tenant } = this.#parts.settings;
    return await wholeValue(this.#parts, { tenant, runId }, await resultOf(this.#parts, runId, options));
  }

  /** The run whenever it has changed, until it has ended. @throws FermataError `run.not_found` */
  watch(runId: string, options: WatchOptions = {}): AsyncGenerator<RunDocument, void, undefined> {
    checkArgument('runs.watch.runId', runId, id);
    checkOptions('runs.watch', options, { everyMs: milliseconds, signal: anything });
    return watchRun(this.#parts, runId, options);
  }

  /**
   * Asks a run to stop: nothing new starts, what it declares is undone, then it is cancelled.
   * @throws FermataError `run.not_found`, `run.invalid_transition` when it has ended
   */
  async cancel(runId: string, options: CancelOptions = {}): Promise<void> {
    checkArgument('runs.cancel.runId', runId, id);
    checkOptions('runs.cancel', options, { reason: text, by: text });
    await cancelRun(this.#parts, runId, options);
  }

  #handle({ runId, definitionId, version }: StoredRun): RunHandle {
    return {
      id: runId,
      definitionId,
      version,
      result: (options) => this.result(runId, options),
      state: () => viewOf(this.#parts, runId),
      show: () => this.show(runId),
      watch: (options) => this.watch(runId, options),
      cancel: (options) => this.cancel(runId, options),
    };
  }
}

function readInput(definitionId: string, given: Json = null): Json {
  const input = toJson(given);
  const forged = forgedText(input);
  if (forged === null) return input;
  throw new FermataError('run.input_invalid', `The input of "${definitionId}" is refused: ${forged}`, { errors: [] });
}

function readInitiator(initiator: string | Initiator = 'client'): Initiator {
  return typeof initiator === 'string' ? { id: initiator, kind: 'user' } : initiator;
}

/** Letters that nobody confuses; 60 bits, in groups that can be read out: `k3f9-x2m7-qd4t`. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

function randomId(): string {
  const letters = [...randomBytes(12)].map((byte) => LETTERS[byte % 32]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}
