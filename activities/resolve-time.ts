/**
 * The local activity that answers a run's questions about time, by this worker's zone data and the stored calendars.
 */
import { ApplicationFailure } from '@temporalio/common';
import { RunError } from '../definitions/errors.ts';
import type { TimeAnswer, TimeRequest } from '../definitions/time/question.ts';
import type { Store } from '../store/index.ts';
import { answerTime } from '../time/index.ts';

/** Rejects for good with what is wrong with the question; a store that is away is asked again. */
export async function resolveTime(store: Store, { tenant, question }: TimeRequest): Promise<TimeAnswer> {
  try {
    return await answerTime(question, ({ calendar, version }) =>
      store.forTenant(tenant).calendars.find(calendar, version),
    );
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, error.type, error.details ?? null);
  }
}
