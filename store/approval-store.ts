/**
 * Approvals of one tenant, as the records of their runs tell them: what people are asked, and what they said.
 *
 * What it is not: where a decision counts; the rules are asked in the run itself (`workflows/`).
 */
import { sql } from 'kysely';
import { FermataError } from '../definitions/fermata-error.ts';
import type { ApprovalTask, DecisionRecord, Subject, TaskRecord, Waiting } from '../definitions/records.ts';
import type { JsonSchema } from '../definitions/types.ts';
import type { Database } from './database.ts';
import { type Page, pageSize, readCursor, toPage } from './page.ts';
import { indexText } from './records/index-text.ts';

export interface ApprovalFilter {
  /** Tasks that this person may decide: named in it, or nobody is named. Together with `role` either is enough. */
  readonly assignee?: string;
  /** Tasks that somebody with one of these roles may decide, or where nobody is named. */
  readonly role?: string | readonly string[];
  /** Tasks of this queue. */
  readonly queue?: string;
  /** Tasks that this person has claimed. */
  readonly claimedBy?: string;
  /** Default `open`. */
  readonly state?: 'open' | 'closed' | 'all';
  readonly definitionId?: string;
  readonly runId?: string;
  /** 1 to 200. Default 50. */
  readonly limit?: number;
  /** Of the page before. */
  readonly cursor?: string;
}

export interface ApprovalSummary {
  readonly taskId: string;
  readonly runId: string;
  readonly definitionId: string;
  readonly nodeId: string;
  readonly visit: number;
  readonly title: string;
  readonly description: string;
  readonly assignees: NonNullable<Waiting['task']>['assignees'];
  readonly outcomes: readonly string[];
  readonly quorum: number;
  /** People whose decision counts, by outcome; outcomes without one are absent. */
  readonly votes: { readonly [outcome: string]: number };
  readonly priority: number | null;
  readonly state: 'open' | 'closed';
  /** How its visit ended: an outcome, or `withdrawn` where the run moved on without one; `null` while it is open. */
  readonly outcome: string | null;
  /** Who has taken it on; `null`: nobody. */
  readonly claimedBy: string | null;
  /** Hash of what is approved, for decisions to name; `null`: nothing is bound. */
  readonly subject: string | null;
  readonly since: Date;
  readonly dueAt: Date | null;
  /** When it ends by itself; `null`: never. */
  readonly until: Date | null;
}

export interface Approval extends Omit<ApprovalSummary, 'subject'> {
  /** JSON Schema of the answer; `null`: any. */
  readonly form: JsonSchema | null;
  /** What is approved, with its hash; `null`: nothing is bound. */
  readonly subject: Subject | null;
  /** Why it was withdrawn; `null`: it was not. */
  readonly withdrawn: string | null;
  /** Counted and refused, in the order in which the run handled them. */
  readonly decisions: readonly DecisionRecord[];
  /** What else was done with it, and what happened to it: done and refused, in order. */
  readonly history: readonly TaskRecord[];
}

interface ApprovalRow {
  task_id: string;
  run_id: string;
  definition_id: string;
  waiting: Waiting;
  since: Date;
  open: boolean;
  outcome: string | null;
  votes: { [outcome: string]: number };
}

/**
 * A wait whose visit or run has ended is over, even where the record that says so was lost. Asked in scalar subqueries
 * so that one page reads one page of the index; of joins or `exists` the planner makes a pass over all tasks or runs.
 */
const IS_OPEN = sql<boolean>`(waits.open
  and coalesce((select visit.outcome is null from fermata.visits as visit where visit.tenant = waits.tenant
    and visit.run_id = waits.run_id and visit.seq = waits.seq), true)
  and coalesce((select run.completed_at is null from fermata.runs as run where run.tenant = waits.tenant
    and run.run_id = waits.run_id), true))`;

const OUTCOME = sql<string | null>`(select visit.outcome from fermata.visits as visit where visit.tenant = waits.tenant
  and visit.run_id = waits.run_id and visit.seq = waits.seq)`;

const VOTES = sql<{ [outcome: string]: number }>`(select coalesce(json_object_agg(vote.outcome, vote.people), '{}')
  from (select decision.record->>'outcome' as outcome, count(distinct decision.by_id)::integer as people
    from fermata.decisions as decision where decision.tenant = waits.tenant and decision.task_id = waits.task_id
      and decision.counted group by 1) as vote)`;

export class ApprovalStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /** Oldest first. @throws usage.invalid for a cursor that no list gave */
  async list(filter: ApprovalFilter = {}): Promise<Page<ApprovalSummary>> {
    const { assignee, role, queue, claimedBy, state = 'open', definitionId, runId, cursor } = filter;
    const size = pageSize(filter.limit);
    let query = this.#approvals();
    if (state === 'open') query = query.where(IS_OPEN);
    if (state === 'closed') query = query.where(sql<boolean>`not ${IS_OPEN}`);
    if (definitionId !== undefined) query = query.where('waits.definition_id', '=', definitionId);
    if (runId !== undefined) query = query.where('waits.run_id', '=', runId);
    if (queue !== undefined) query = query.where(sql<boolean>`waits.queues && ${[indexText(queue)]}::text[]`);
    if (claimedBy !== undefined) query = query.where(sql<boolean>`waits.waiting->'task'->>'claimedBy' = ${claimedBy}`);
    if (assignee !== undefined || role !== undefined) query = query.where(mayDecide(assignee, role));
    if (cursor !== undefined) {
      const { at, id } = readCursor(cursor);
      query = query.where(sql<boolean>`(waits.since, waits.task_id) > (${new Date(at)}, ${id})`);
    }
    const rows = await query
      .orderBy('waits.since')
      .orderBy('waits.task_id')
      .limit(size + 1)
      .execute();
    return toPage(rows, size, {
      item: toSummary,
      position: (row) => ({ at: row.since.getTime(), id: row.task_id }),
    });
  }

  /** @throws approval.not_found */
  async get(taskId: string): Promise<Approval> {
    const row = await this.#approvals().where('waits.task_id', '=', taskId).executeTakeFirst();
    if (row === undefined) throw approvalNotFound(this.#tenant, taskId);
    const decisions = await this.#db
      .selectFrom('fermata.decisions')
      .select('record')
      .where('tenant', '=', this.#tenant)
      .where('task_id', '=', taskId)
      .orderBy('handled_at')
      .orderBy('counted', 'desc')
      .execute();
    const { form = null, subject = null, withdrawn = null } = taskOf(row);
    const history = await this.#history(taskId);
    return { ...toSummary(row), form, subject, withdrawn, decisions: decisions.map(({ record }) => record), history };
  }

  async #history(taskId: string): Promise<readonly TaskRecord[]> {
    const rows = await this.#db
      .selectFrom('fermata.task_records')
      .select('record')
      .where('tenant', '=', this.#tenant)
      .where('task_id', '=', taskId)
      .orderBy('handled_at')
      .orderBy('position')
      .execute();
    return rows.map(({ record }) => record);
  }

  #approvals() {
    return this.#db
      .selectFrom('fermata.waits as waits')
      .select(['waits.run_id', 'waits.definition_id', 'waits.waiting', 'waits.since'])
      .select('waits.task_id')
      .$narrowType<{ task_id: string }>()
      .select([IS_OPEN.as('open'), OUTCOME.as('outcome'), VOTES.as('votes')])
      .where('waits.tenant', '=', this.#tenant)
      .where('waits.task_id', 'is not', null);
  }
}

function mayDecide(assignee: string | undefined, role: string | readonly string[] | undefined) {
  const users = assignee === undefined ? [] : [indexText(assignee)];
  const roles = role === undefined ? [] : [role].flat().map(indexText);
  return sql<boolean>`(waits.users && ${users}::text[] or waits.roles && ${roles}::text[]
    or (waits.users = '{}' and waits.roles = '{}' and waits.queues = '{}'))`;
}

function taskOf({ task_id, waiting: { task } }: ApprovalRow): ApprovalTask {
  if (task === undefined) throw new FermataError('internal.error', `the approval "${task_id}" has no task`);
  return task;
}

/** One that was not decided when its run ended, by force as well, was withdrawn. */
function outcomeOf({ open, outcome }: ApprovalRow, { withdrawn }: ApprovalTask): string | null {
  if (open) return null;
  return withdrawn === undefined ? (outcome ?? 'withdrawn') : 'withdrawn';
}

function toSummary(row: ApprovalRow): ApprovalSummary {
  const { waiting } = row;
  const task = taskOf(row);
  return {
    taskId: row.task_id,
    runId: row.run_id,
    definitionId: row.definition_id,
    nodeId: waiting.nodeId,
    visit: task.visit,
    title: task.title,
    description: task.description,
    assignees: task.assignees,
    outcomes: task.outcomes,
    quorum: task.quorum,
    votes: row.votes,
    priority: task.priority,
    state: row.open ? 'open' : 'closed',
    outcome: outcomeOf(row, task),
    claimedBy: task.claimedBy ?? null,
    subject: task.subject?.hash ?? null,
    since: row.since,
    dueAt: dateOrNull(task.dueAt),
    until: dateOrNull(waiting.until),
  };
}

function dateOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function approvalNotFound(tenant: string, taskId: string): FermataError {
  const message = `no approval "${taskId}" is known for the tenant "${tenant}"; \`fermata approvals list\` shows open ones`;
  return new FermataError('approval.not_found', message, { taskId, tenant });
}
