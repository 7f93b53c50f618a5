/**
 * Questions about time: one is one local activity, whose marker keeps the answer.
 *
 * Invariants:
 * 1. A run asks one at a time. Of local activities that end in one workflow task the clock reads otherwise on replay, and
 *    branches ask in the same moment.
 */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { TimeAnswer, TimeQuestion, TimeRequest } from '../../definitions/time/question.ts';
import { RESOLVE_TIME } from '../../definitions/wire.ts';
import type { RecordsOf } from './wire.ts';

/** The questions of one run. */
export class TimeQuestions {
  readonly #tenant: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ tenant }: RecordsOf) {
    this.#tenant = tenant;
  }

  /** In the scope of the caller, which may be cancelled before its turn comes. */
  ask(question: TimeQuestion): Promise<TimeAnswer> {
    const answer = this.#last.then(() => resolveTime({ tenant: this.#tenant, question }));
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}

function resolveTime(request: TimeRequest): Promise<TimeAnswer> {
  const activities = proxyLocalActivities<{ [RESOLVE_TIME](request: TimeRequest): Promise<TimeAnswer> }>({
    startToCloseTimeout: '10s',
    summary: `work out the time (${request.question.kind})`,
  });
  return activities[RESOLVE_TIME](request);
}
