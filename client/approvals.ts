/**
 * Approvals of one tenant: what people are asked, their answers on the way to the run, and what else they do with tasks.
 *
 * What it is not: the rules. Whether a decision counts is the run's to say, the same at every door.
 */
import { randomUUID } from 'node:crypto';
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';
import type { Decision, TaskAction } from '../definitions/records.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { Approval, ApprovalFilter, ApprovalSummary, Page, SubmittedDecision } from '../store/index.ts';
import type { DecisionAnswer } from '../workflows/decisions.ts';
import {
  anything,
  checkArgument,
  checkOptions,
  id,
  ids,
  milliseconds,
  oneOf,
  type Rules,
  shortId,
  text,
  wholeNumber,
} from './check-arguments.ts';
import { type DecisionResult, invalid, type NewDecision, readNewDecision, toResult } from './decision.ts';
import { deliverDecision } from './deliver-decision.ts';
import type { ClientParts } from './client-parts.ts';
import { readTaskId, type TaskPlace } from './run-id.ts';
import { type CommentOptions, type DelegateOptions, requestTask, type TaskRequestOptions } from './task-requests.ts';
import { isUnreachable } from './temporal-error.ts';

/** What a request about a task gives: it was done. */
export interface RequestedTask {
  readonly taskId: string;
}

export interface DecideOptions {
  /** Where it came in, for the audit. Default `client`. */
  readonly door?: string;
  /** Makes a repeated request the same decision. Default: a random one. */
  readonly id?: string;
  /** Milliseconds for which the run's answer is waited for. Default 10,000. */
  readonly timeoutMs?: number;
}

const ANSWER_TIMEOUT_MS = 10_000;

const REQUIRED: Readonly<Record<TaskAction, readonly string[]>> = {
  claim: ['by'],
  release: ['by'],
  delegate: ['by', 'to'],
  comment: ['by', 'comment'],
};

const FILTER: Rules<ApprovalFilter> = {
  assignee: id,
  role: ids,
  queue: id,
  claimedBy: id,
  state: oneOf(['open', 'closed', 'all']),
  definitionId: id,
  runId: id,
  limit: wholeNumber,
  cursor: text,
};

export class Approvals {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** Open ones unless asked otherwise, oldest first, a page at a time. */
  async list(filter: ApprovalFilter = {}): Promise<Page<ApprovalSummary>> {
    checkOptions('approvals.list', filter, FILTER);
    return await this.#parts.store.approvals.list(filter);
  }

  /** One approval with its decisions so far. @throws FermataError `approval.not_found` */
  async show(taskId: string): Promise<Approval> {
    checkArgument('approvals.show.taskId', taskId, id);
    return await this.#parts.store.approvals.get(taskId);
  }

  /**
   * Decides an approval. The decision is stored before the run is asked, so it is not lost while no worker is up or
   * Temporal cannot be reached: then the status is `stored`, and workers deliver it.
   *
   * @throws FermataError `approval.refused` with the run's reason in `details.reason`, `approval.invalid`,
   * `approval.not_found`, `input.too_large`
   */
  async decide(taskId: string, decision: NewDecision, options: DecideOptions = {}): Promise<DecisionResult> {
    checkArgument('approvals.decide.taskId', taskId, id);
    checkOptions('approvals.decide', options, { door: text, id: shortId, timeoutMs: milliseconds });
    const { door = 'client', id: decisionId = randomUUID(), timeoutMs = ANSWER_TIMEOUT_MS } = options;
    const place = await this.#placeOf(taskId);
    const read = readNewDecision(decision, { ...place, atIso: isoTime(Date.now()) });
    const submitted = await this.#parts.store.decisions.submit({
      id: decisionId,
      taskId,
      runId: place.runId,
      decision: read,
      door,
    });
    if (!isSame(submitted, taskId, read)) {
      const message = `the id "${decisionId}" belongs to another decision; give this one an id of its own`;
      throw new FermataError('approval.invalid', message, { decisionId });
    }
    const answered = submitted.answer as unknown as DecisionAnswer;
    const delivered =
      submitted.answeredAt === null ? await deliverDecision(this.#parts, submitted, timeoutMs) : { answer: answered };
    if (delivered.answer !== null) return await this.#withVotes(toResult(submitted, delivered.answer), read);
    const message = isUnreachable(delivered.error)
      ? `Temporal at ${this.#parts.settings.temporal.address} cannot be reached; the decision is stored, and workers deliver it once Temporal is back`
      : `the run has not answered within ${timeoutMs} ms, so no worker seems to be up; the decision is stored and is delivered as soon as one is`;
    return { status: 'stored', decisionId, taskId, message };
  }

  /** Takes a task on: where one decision settles it, nobody else may decide it then. @throws as `decide` */
  async claim(taskId: string, options: TaskRequestOptions): Promise<RequestedTask> {
    return await this.#request('claim', taskId, options);
  }

  /** Gives a claimed task back. @throws as `decide` */
  async release(taskId: string, options: TaskRequestOptions): Promise<RequestedTask> {
    return await this.#request('release', taskId, options);
  }

  /** Hands one's say on to another person, for whom the task is claimed. @throws as `decide` */
  async delegate(taskId: string, options: DelegateOptions): Promise<RequestedTask> {
    return await this.#request('delegate', taskId, options);
  }

  /** Says something about a task, for its record. @throws as `decide` */
  async comment(taskId: string, options: CommentOptions): Promise<RequestedTask> {
    return await this.#request('comment', taskId, options);
  }

  async #request(action: TaskAction, taskId: string, options: TaskRequestOptions): Promise<RequestedTask> {
    const door = `approvals.${action}`;
    checkArgument(`${door}.taskId`, taskId, id);
    const shared = { by: anything, comment: text, door: text, timeoutMs: milliseconds };
    if (action === 'delegate')
      checkOptions<DelegateOptions>(door, options as DelegateOptions, { ...shared, to: shortId });
    else checkOptions<TaskRequestOptions>(door, options, shared);
    for (const field of REQUIRED[action]) {
      if (Reflect.get(options, field) === undefined) throw invalid(`${field} is missing`);
    }
    return await requestTask(this.#parts, await this.#placeOf(taskId), { ...options, action });
  }

  /** Rows come a moment after the answer, so the person's own vote is counted apart. */
  async #withVotes(result: DecisionResult, { by, outcome }: Decision): Promise<DecisionResult> {
    if (result.status !== 'counted' || result.settled !== null) return result;
    const task = await this.#parts.store.approvals.get(result.taskId).catch(() => null);
    if (task === null) return result;
    const others = task.decisions.filter(
      (one) => one.refusal === null && one.outcome === outcome && one.by.id !== by.id,
    );
    const given = new Set(others.map((one) => one.by.id)).size + 1;
    return { ...result, votes: { given, needed: outcome === task.outcomes[0] ? task.quorum : null } };
  }

  async #placeOf(taskId: string): Promise<TaskPlace> {
    const { store, settings } = this.#parts;
    const place = readTaskId(settings.tenant, taskId);
    try {
      if (place !== null) await store.runs.get(place.runId);
    } catch (error) {
      if (!isFermataError(error) || error.code !== 'run.not_found') throw error;
      throw approvalNotFound(settings.tenant, taskId);
    }
    if (place === null) throw approvalNotFound(settings.tenant, taskId);
    return place;
  }
}

function isSame(submitted: SubmittedDecision, taskId: string, decision: SubmittedDecision['decision']): boolean {
  const content = ({ at: _at, ...rest }: typeof decision): string => JSON.stringify(rest);
  return submitted.taskId === taskId && content(submitted.decision) === content(decision);
}

function approvalNotFound(tenant: string, taskId: string): FermataError {
  const message = `no approval "${taskId}" is known for the tenant "${tenant}"; \`fermata approvals list\` shows open ones`;
  return new FermataError('approval.not_found', message, { taskId, tenant });
}
