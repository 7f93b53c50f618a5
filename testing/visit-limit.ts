/**
 * The end of a simulation that would go on for ever: virtual time passes at no cost, so a loop that nothing ends, with a
 * delay in it or not, ends in no timeout either. Visits are counted, over all runs of the simulation.
 *
 * What it is not: `maxVisits` of a node, which is a rule of the language and ends the run alike everywhere.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import type { RunRecord } from '../definitions/records.ts';
import { isoTime } from '../definitions/timestamps.ts';

export const DEFAULT_MAX_VISITS = 200_000;
/** Visits between two reports. */
const REPORT_EVERY = 20_000;

export interface SimulationProgress {
  readonly visits: number;
  /** Of the limit. */
  readonly maxVisits: number;
  /** Virtual time, RFC 3339. */
  readonly now: string;
  readonly nodeId: string;
}

export interface VisitLimitOptions {
  readonly maxVisits?: number | undefined;
  readonly onProgress?: ((progress: SimulationProgress) => void) | undefined;
}

export class VisitLimit {
  readonly #max: number;
  readonly #onProgress: ((progress: SimulationProgress) => void) | undefined;
  #visits = 0;
  #nodeId = '';
  #reported = 0;

  /** @throws FermataError `usage.invalid` */
  constructor({ maxVisits = DEFAULT_MAX_VISITS, onProgress }: VisitLimitOptions = {}) {
    if (!(maxVisits >= 1)) throw new FermataError('usage.invalid', `maxVisits must be 1 or more, not ${maxVisits}`);
    this.#max = maxVisits;
    this.#onProgress = onProgress;
  }

  count(record: RunRecord): void {
    if (record.kind !== 'visit' || record.outcome === null) return;
    this.#visits++;
    this.#nodeId = record.nodeId;
  }

  /** To be asked now and then. @throws FermataError `simulation.too_long` */
  check(nowMs: number): void {
    const progress = { visits: this.#visits, maxVisits: this.#max, now: isoTime(nowMs), nodeId: this.#nodeId };
    if (progress.visits - this.#reported >= REPORT_EVERY) {
      this.#reported = progress.visits;
      this.#onProgress?.(progress);
    }
    if (progress.visits < this.#max) return;
    const { visits, now, nodeId } = progress;
    const message = `the simulation has made ${visits} visits and goes on: it is at node ${nodeId}, at ${now}. A loop may have no end; if the run is to be this long, allow more visits (--max-visits, option maxVisits)`;
    throw new FermataError('simulation.too_long', message, { ...progress });
  }
}
