/**
 * The projection: what workflows and activities tell, on its way into PostgreSQL.
 *
 * What it is: a write-behind buffer of this worker. It adds no event to a history and delays no step.
 * What it is not: the truth. What a killed worker had not written is made again from the history (`reconciler.ts`).
 *
 * Invariants:
 * 1. One write is under way at a time; what comes meanwhile goes with the next one.
 * 2. A write that fails is repeated; beyond `MAX_BUFFERED` batches the oldest give way, and the reconciler mends it.
 * 3. A run whose records the store refuses holds up no other: its batch is tried alone, and given up after `MAX_REFUSALS`.
 */
import type { InjectedSinks } from '@temporalio/worker';
import type { AttemptReport } from '../activities/index.ts';
import { isFermataError } from '../definitions/fermata-error.ts';
import type { RunRecord } from '../definitions/records.ts';
import type { AttemptRecord, RecordBatch, RecordStore } from '../store/index.ts';
import type { RecordSinks, RecordsOf } from '../workflows/temporal/wire.ts';
import type { WorkerLog } from './log.ts';

/** Pause before a write, so that many steps go into one. */
const GATHER_MS = 20;
/** From the begin of a write to that of the next: under load its fixed cost is shared by what many runs tell meanwhile. */
const SPACING_MS = 100;
const RETRY_MS = 1_000;
const MAX_BUFFERED = 50_000;
const MAX_REFUSALS = 5;

export class Projection {
  readonly #records: Pick<RecordStore, 'write' | 'writeAttempts'>;
  readonly #log: WorkerLog;
  #batches: RecordBatch[] = [];
  #attempts: AttemptRecord[] = [];
  #writing: Promise<void> | null = null;
  /** Of the write before, on the monotonic clock. */
  #begunAt = -SPACING_MS;
  /** How often a batch was refused although it came alone. */
  readonly #refusals = new WeakMap<RecordBatch, number>();

  constructor(records: Pick<RecordStore, 'write' | 'writeAttempts'>, log: WorkerLog) {
    this.#records = records;
    this.#log = log;
  }

  /** Where the interpreter's records come out of the workflow sandbox. */
  readonly sinks: InjectedSinks<RecordSinks> = {
    fermata: {
      records: {
        fn: (_, records, of) => this.#take(toBatch(records, of)),
        callDuringReplay: false,
      },
    },
  };

  /** Hears of every attempt of a command. */
  readonly onAttempt = ({ phase, run, commandId, attempt, at }: AttemptReport): void => {
    if (phase !== 'started') return;
    this.#attempts.push({ tenant: run.tenant, runId: run.id, commandId, attempt, at });
    if (this.#attempts.length > MAX_BUFFERED) this.#attempts.shift();
    this.#schedule();
  };

  /** Writes all there is; for the end of a worker. Begins no write after `timeoutMs`: the reconciler can mend it. */
  async drain(timeoutMs = 10_000): Promise<void> {
    const giveUpAt = Date.now() + timeoutMs;
    while (this.#writing !== null && Date.now() < giveUpAt) await this.#writing;
  }

  #take(batch: RecordBatch): void {
    this.#batches.push(batch);
    if (this.#batches.length > MAX_BUFFERED) this.#batches.splice(0, this.#batches.length - MAX_BUFFERED);
    this.#schedule();
  }

  #schedule(): void {
    const spacing = this.#begunAt + SPACING_MS - performance.now();
    this.#writing ??= pause(Math.max(GATHER_MS, spacing)).then(() => this.#write());
  }

  async #write(): Promise<void> {
    this.#begunAt = performance.now();
    const batches = this.#batches;
    const attempts = this.#attempts;
    this.#batches = [];
    this.#attempts = [];
    try {
      await Promise.all([this.#records.write(batches), this.#records.writeAttempts(attempts)]);
    } catch (error) {
      this.#log.warn('records of runs could not be written; trying again', { error: String(error) });
      // A FermataError is about the store as a whole (`store.unavailable`); anything else may be about one batch.
      const left = isFermataError(error) ? batches : await this.#writeOneByOne(batches);
      this.#batches = [...left, ...this.#batches].slice(-MAX_BUFFERED);
      this.#attempts = [...attempts, ...this.#attempts].slice(-MAX_BUFFERED);
      await pause(RETRY_MS);
    }
    this.#writing = null;
    if (this.#batches.length + this.#attempts.length > 0) this.#schedule();
  }

  /** Gives the batches that are to be tried again. */
  async #writeOneByOne(batches: readonly RecordBatch[]): Promise<RecordBatch[]> {
    const left: RecordBatch[] = [];
    for (const batch of batches) {
      try {
        await this.#records.write([batch]);
      } catch (error) {
        if (isFermataError(error) || this.#mayTryAgain(batch, error)) left.push(batch);
      }
    }
    return left;
  }

  #mayTryAgain(batch: RecordBatch, error: unknown): boolean {
    const refusals = (this.#refusals.get(batch) ?? 0) + 1;
    this.#refusals.set(batch, refusals);
    if (refusals < MAX_REFUSALS) return true;
    const { runId } = batch;
    this.#log.error('records of a run are refused and given up; its rows lack them', { runId, error: String(error) });
    return false;
  }
}

/** The records of one activation as the store takes them. The last ones of a run bring its variables. */
export function toBatch(records: readonly RunRecord[], of: RecordsOf): RecordBatch {
  const vars = records.findLast((line) => line.kind === 'state' && line.vars !== undefined);
  return { ...of, records, ...(vars?.kind === 'state' && vars.vars ? { vars: vars.vars } : {}) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
