/**
 * A run's records on their way out: in one batch per activation, through a sink, which adds no event.
 *
 * Invariants:
 * 1. What is left of a workflow task that took too long goes on once the workflow is gone. It then tells nothing, since a
 *    rejection that nobody handles ends the worker; the repeated task tells it.
 */
import { inWorkflowContext, proxySinks, setCurrentDetails } from '@temporalio/workflow';
import type { RunRecord } from '../../definitions/records.ts';
import { RunDetails } from './details.ts';
import type { RecordSinks, RecordsOf } from './wire.ts';

/** Records on their way out. */
export class Story {
  #batch: RunRecord[] = [];
  #soon = false;
  readonly #details = new RunDetails();
  readonly #sink = proxySinks<RecordSinks>().fermata;
  #of: RecordsOf;

  constructor(of: RecordsOf) {
    this.#of = of;
  }

  add(line: RunRecord): void {
    this.#batch.push(line);
    this.#details.follow(line);
  }

  flushSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    void Promise.resolve().then(() => {
      if (inWorkflowContext()) this.flush();
    });
  }

  flush(): void {
    this.#soon = false;
    if (this.#batch.length === 0) return;
    this.#sink.records(this.#batch, this.#of);
    this.#batch = [];
    if (this.#of.start) this.#of = withoutStart(this.#of);
    if (this.#details.changed) setCurrentDetails(this.#details.text());
  }
}

function withoutStart({ tenant, runId, definitionId, version }: RecordsOf): RecordsOf {
  return { tenant, runId, definitionId, version };
}
