/**
 * Runs of one tenant: started by hand, looked at, waited for, cancelled.
 *
 * Invariants:
 * 1. A run of another tenant does not exist here: every call asks the tenant's rows first.
 * 2. A start id begins one run for ever, also after Temporal has forgotten it.
 */
import { randomBytes } from 'node:crypto';
import { FermataError } from '../definitions/fermata-error.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { RunDocument } from '../definitions/records.ts';
import { utf8Length } from '../definitions/json/size.ts';
import { startFacts } from '../definitions/start-facts.ts';
import type { Initiator, Json } from '../definitions/types.ts';
import type { NewRun, Page, RunFilter, RunSummary, StoredRun } from '../store/index.ts';
import type { RunView } from '../workflows/run.ts';
import { cancelRun, type CancelOptions } from './cancel-run.ts';
import type { ClientParts } from './client-parts.ts';
import { runIdFor } from './run-id.ts';
import { resultOf, type ResultOptions } from './run-result.ts';
import { documentOf, isKnownToTemporal, viewOf, watchRun, type WatchOptions } from './run-view.ts';
import { startRun } from './start-run.ts';

export interface StartOptions {
  readonly input?: Json;
  /** Last part of the run id, for a start that may be repeated. Default: a random one. */
  readonly id?: string;
  /** Default: the active version. */
  readonly version?: number;
  /** Who starts it: an id, or one of a kind. Default: the user `client`. */
  readonly initiator?: string | Initiator;
}

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

export class Runs {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /**
   * Starts a run by hand, of a disabled definition too: `enabled` is about events and schedules.
   *
   * @throws FermataError `definition.not_found`, `definition.version_not_found`, `run.input_invalid`,
   * `input.too_large`, `run.already_exists`, `temporal.unavailable` (starting again with the same `id` is then safe)
   */
  async start(definitionId: string, options: StartOptions = {}): Promise<RunHandle> {
    const { store, settings } = this.#parts;
    const { tenant, taskQueue } = settings;
    const version = await store.definitions.get(definitionId, options.version);
    const runId = runIdFor(tenant, definitionId, readStartId(options.id) ?? randomId());
    const initiator = readInitiator(options.initiator);
    const { input, entity } = startFacts(version.document, {
      event: null,
      trigger: null,
      input: toJson(options.input ?? null),
      run: { id: runId, version: version.version, tenant, initiator },
      atMs: Date.now(),
    });
    const run: NewRun = {
      runId,
      definitionId,
      version: version.version,
      hash: version.hash,
      input,
      eventId: null,
      initiator,
      entity,
    };
    const registered = await store.runs.register(run);
    if (!registered.created && !(await this.#wasInterrupted(registered.run, run))) throw alreadyExists(runId);
    await this.#begin({ runId, tenant, taskQueue, version, input, event: null, initiator, entity });
    return this.#handle(registered.run);
  }

  /** @throws FermataError `run.not_found` */
  async get(runId: string): Promise<RunHandle> {
    return this.#handle(await this.#parts.store.runs.get(runId));
  }

  /** Newest first, a page at a time. */
  async list(filter: RunFilter = {}): Promise<Page<RunSummary>> {
    return await this.#parts.store.runs.list(filter);
  }

  /**
   * The run as `fermata runs show --json` prints it. Of an open run the rows may be a moment behind; where a worker
   * answers, what it waits for and its variables come from the run itself.
   * @throws FermataError `run.not_found`
   */
  async show(runId: string): Promise<RunDocument> {
    return await documentOf(this.#parts, runId);
  }

  /**
   * Waits until the run has completed and gives its output.
   * @throws FermataError `run.failed` and `run.cancelled` with the error in `details.error`, `run.wait_timeout`,
   * `run.not_found`
   */
  async result(runId: string, options: ResultOptions = {}): Promise<Json> {
    return await resultOf(this.#parts, runId, options);
  }

  /** The run whenever it has changed, until it has ended. @throws FermataError `run.not_found` */
  watch(runId: string, options: WatchOptions = {}): AsyncGenerator<RunDocument, void, undefined> {
    return watchRun(this.#parts, runId, options);
  }

  /**
   * Asks a run to stop: nothing new starts, what it declares is undone, then it is cancelled.
   * @throws FermataError `run.not_found`, `run.invalid_transition` when it has ended
   */
  async cancel(runId: string, options: CancelOptions = {}): Promise<void> {
    await cancelRun(this.#parts, runId, options);
  }

  /** A start that was refused leaves nothing; one that may have begun keeps its row. */
  async #begin(run: Parameters<typeof startRun>[1]): Promise<void> {
    try {
      await startRun(this.#parts, run);
    } catch (error) {
      if (error instanceof FermataError && !error.retryable) await this.#parts.store.runs.unregister(run.runId);
      throw error;
    }
  }

  /** Whether the same start was registered before, and its caller died or lost Temporal before the run began. */
  async #wasInterrupted(found: StoredRun, wanted: NewRun): Promise<boolean> {
    const same = found.hash === wanted.hash && JSON.stringify(found.input) === JSON.stringify(wanted.input);
    if (!same || found.state !== 'pending' || found.eventId !== null) return false;
    return !(await isKnownToTemporal(this.#parts, wanted.runId));
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

function alreadyExists(runId: string): FermataError {
  const message = `a run with the id "${runId}" exists already; give another id, or look at it with \`fermata runs show ${runId}\``;
  return new FermataError('run.already_exists', message, { runId });
}

function readStartId(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'string' && id !== '' && !id.includes('\u0000') && utf8Length(id) <= LIMITS.idBytes) return id;
  throw new FermataError('usage.invalid', `the id of a start is a text of 1 to ${LIMITS.idBytes} bytes`);
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
