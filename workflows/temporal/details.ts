/**
 * Where a run is and what it waits for, in words, for the details pane of the Temporal Web UI.
 */
import type { RunRecord, Waiting } from '../../definitions/records.ts';
import { isoTime } from '../../definitions/timestamps.ts';

/** Follows the records of a run; `text()` is Markdown. */
export class RunDetails {
  #nodeId: string | null = null;
  readonly #waits = new Map<number, Waiting>();
  /** Whether `text()` has changed since it was read last. */
  changed = false;

  follow(line: RunRecord): void {
    if (line.kind === 'visit' && line.outcome === null) this.#nodeId = line.nodeId;
    else if (line.kind === 'wait' && line.open) this.#waits.set(line.seq, line.waiting);
    else if (line.kind === 'wait') this.#waits.delete(line.seq);
    else return;
    this.changed = true;
  }

  text(): string {
    this.changed = false;
    const waits = [...this.#waits.values()].map(
      (wait) =>
        `- \`${wait.nodeId}\` waits for ${wait.for}${wait.until === null ? '' : `, until ${isoTime(wait.until)}`}`,
    );
    const at = this.#nodeId === null ? 'At the start' : `At \`${this.#nodeId}\``;
    return waits.length === 0 ? at : `${at}\n\n${waits.join('\n')}`;
  }
}
