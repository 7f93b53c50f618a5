/**
 * Decisions on their way to their run: a door writes one here first, then delivers it until the run has answered, so a
 * decision given while no worker is up, or just before the door died, is not lost.
 *
 * Invariants:
 * 1. The id of a decision is also the id of the Temporal update that carries it, so delivering twice counts once.
 * 2. An answer is written once; the first stands.
 * 3. A claimed decision is leased, so several deliverers share the work.
 */
import { type Selectable, sql } from 'kysely';
import { FermataError } from '../definitions/fermata-error.ts';
import type { Decision } from '../definitions/records.ts';
import type { Json } from '../definitions/types.ts';
import type { Database } from './database.ts';
import { indexText } from './records/index-text.ts';
import type { DecisionOutboxTable } from './tables.ts';

export interface NewDecision {
  /** Unique in the tenant; the caller makes it, so that a repeated request is the same decision. */
  readonly id: string;
  readonly taskId: string;
  readonly runId: string;
  readonly decision: Decision;
  /** Where it came in: `cli`, `client`, `http`, … */
  readonly door: string;
  /** For how long nobody else delivers it. Default 30,000. */
  readonly leaseMs?: number;
}

export interface SubmittedDecision {
  readonly tenant: string;
  readonly id: string;
  readonly taskId: string;
  readonly runId: string;
  readonly decision: Decision;
  readonly door: string;
  readonly submittedAt: Date;
  /** How often a deliverer took it up, the door that wrote it not counted. */
  readonly deliveries: number;
  readonly lastError: string | null;
  /** `null`: the run has not answered yet. */
  readonly answeredAt: Date | null;
  readonly answer: Json;
}

const LEASE_MS = 30_000;

export class DecisionOutbox {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /** Writes a decision, on disk before this returns. An id that is there already gives what was written first. */
  async submit(request: NewDecision): Promise<SubmittedDecision> {
    const { id, taskId, runId, decision, door, leaseMs = LEASE_MS } = request;
    await this.#db
      .insertInto('fermata.decision_outbox')
      .values({
        tenant: this.#tenant,
        id,
        task_id: taskId,
        run_id: runId,
        decision: JSON.stringify(decision),
        door,
        lease_until: afterNow(leaseMs),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const written = await this.get(id);
    if (written === null)
      throw new FermataError('internal.error', `the decision "${id}" vanished while it was written`);
    return written;
  }

  async get(id: string): Promise<SubmittedDecision | null> {
    const row = await this.#db
      .selectFrom('fermata.decision_outbox')
      .selectAll()
      .where('tenant', '=', this.#tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : toSubmitted(row);
  }

  /** Writes what the run answered: counted, or refused with a reason. Says whether this call wrote it. */
  async answer(id: string, answer: Json): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('fermata.decision_outbox')
      .set({ answer: JSON.stringify(answer), answered_at: sql<Date>`clock_timestamp()` })
      .where('tenant', '=', this.#tenant)
      .where('id', '=', id)
      .where('answered_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Writes why a delivery failed and when the next is due. Default: after 5,000 ms. */
  async postpone(id: string, reason: string, retryMs = 5_000): Promise<void> {
    await this.#db
      .updateTable('fermata.decision_outbox')
      .set({ last_error: indexText(reason), lease_until: afterNow(retryMs) })
      .where('tenant', '=', this.#tenant)
      .where('id', '=', id)
      .where('answered_at', 'is', null)
      .execute();
  }
}

/** Unanswered decisions of all tenants whose lease is over, oldest first, leased to the caller. */
export async function claimDecisions(
  db: Database,
  options: { readonly leaseMs?: number; readonly limit?: number } = {},
): Promise<readonly SubmittedDecision[]> {
  const rows = await db
    .with('due', (query) =>
      query
        .selectFrom('fermata.decision_outbox')
        .select(['tenant', 'id'])
        .where('answered_at', 'is', null)
        .where('lease_until', '<=', sql<Date>`clock_timestamp()`)
        .orderBy('submitted_at')
        .limit(options.limit ?? 100)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('fermata.decision_outbox as outbox')
    .from('due')
    .set((eb) => ({ lease_until: afterNow(options.leaseMs ?? LEASE_MS), deliveries: eb('outbox.deliveries', '+', 1) }))
    .whereRef('outbox.tenant', '=', 'due.tenant')
    .whereRef('outbox.id', '=', 'due.id')
    .returningAll('outbox')
    .execute();
  return rows.map(toSubmitted).sort((one, other) => one.submittedAt.getTime() - other.submittedAt.getTime());
}

function afterNow(ms: number) {
  return sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;
}

function toSubmitted(row: Selectable<DecisionOutboxTable>): SubmittedDecision {
  return {
    tenant: row.tenant,
    id: row.id,
    taskId: row.task_id,
    runId: row.run_id,
    decision: row.decision,
    door: row.door,
    submittedAt: row.submitted_at,
    deliveries: row.deliveries,
    lastError: row.last_error,
    answeredAt: row.answered_at,
    answer: row.answer,
  };
}
