/**
 * Requests about a task at the client's door: claim, release, delegate, comment.
 *
 * What it is not: kept. Unlike a decision, a request that no worker answers is given up; nobody has lost a vote by it.
 */
import { randomUUID } from 'node:crypto';
import { FermataError } from '../definitions/fermata-error.ts';
import { utf8Length } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Person, TaskAction, TaskRequest } from '../definitions/records.ts';
import { isoTime } from '../definitions/timestamps.ts';
import { type DoorDelivery, TASK } from '../definitions/wire.ts';
import type { TaskAnswer } from '../workflows/task-requests.ts';
import type { ClientParts } from './client-parts.ts';
import { addressOf, invalid, readPerson } from './decision.ts';
import { refusalBy } from './deliver-decision.ts';
import type { TaskPlace } from './run-id.ts';
import { isUnreachable, toTemporalError } from './temporal-error.ts';

export interface TaskRequestOptions {
  /** Who; the caller vouches for the roles. */
  readonly by: string | Person;
  /** For the record. */
  readonly comment?: string;
  /** Where it came in, for the audit. Default `client`. */
  readonly door?: string;
  /** Milliseconds for which the run's answer is waited for. Default 10,000. */
  readonly timeoutMs?: number;
}

export interface DelegateOptions extends TaskRequestOptions {
  /** Id of the person who is to decide instead. */
  readonly to: string;
}

export interface CommentOptions extends TaskRequestOptions {
  readonly comment: string;
}

const ANSWER_TIMEOUT_MS = 10_000;

/** @throws FermataError `approval.invalid`, `approval.refused`, `temporal.unavailable` */
export async function requestTask(
  parts: ClientParts,
  place: TaskPlace,
  options: TaskRequestOptions & { readonly action: TaskAction; readonly to?: string },
): Promise<{ readonly taskId: string }> {
  const { temporal, settings } = parts;
  const { action, by, to, comment, door = 'client', timeoutMs = ANSWER_TIMEOUT_MS } = options;
  const request: TaskRequest = {
    ...addressOf(place),
    action,
    by: readPerson(by),
    ...(to === undefined ? {} : { to }),
    ...(comment === undefined ? {} : { comment: bounded(comment) }),
    at: isoTime(Date.now()),
  };
  const args: [TaskRequest, DoorDelivery] = [request, { door }];
  const handle = temporal.workflow.getHandle(place.runId);
  const update = { updateId: randomUUID(), args };
  try {
    const ask = () => handle.executeUpdate<TaskAnswer, typeof args>(TASK, update);
    const answer = await temporal.withDeadline(Date.now() + timeoutMs, ask);
    if (!answer.done) throw refused(action, place, answer.refusal);
    return { taskId: answer.taskId };
  } catch (error) {
    if (error instanceof FermataError) throw error;
    const unanswered = toTemporalError(error, settings.temporal.address);
    if (!(unanswered instanceof FermataError)) throw refused(action, place, refusalBy(error, place.runId));
    if (isUnreachable(error)) throw unanswered;
    const message = `the run "${place.runId}" has not answered within ${timeoutMs} ms, so no worker seems to be up; it may still do what was requested`;
    throw new FermataError(unanswered.code, message, { runId: place.runId }, { cause: error });
  }
}

function bounded(comment: string): string {
  const bytes = utf8Length(comment);
  if (comment === '') throw invalid('comment must say something');
  if (bytes <= LIMITS.inputBytes / 2) return comment;
  const message = `the comment has ${bytes} bytes; the limit is ${LIMITS.inputBytes / 2}`;
  throw new FermataError('input.too_large', message, { bytes, limit: LIMITS.inputBytes / 2 });
}

function refused(
  action: TaskAction,
  { runId, path, nodeId, visit }: TaskPlace,
  { code, message }: { readonly code: string; readonly message: string },
): FermataError {
  const taskId = `${runId}/${path}${nodeId}/${visit}`;
  const words = `the ${action} of "${taskId}" is refused (${code}): ${message}`;
  return new FermataError('approval.refused', words, { taskId, reason: code, message });
}
