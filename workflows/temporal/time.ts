/**
 * One question about time as one local activity, whose marker keeps the answer.
 */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { TimeAnswer, TimeQuestion, TimeRequest } from '../../definitions/time/question.ts';
import { RESOLVE_TIME } from '../../definitions/wire.ts';
import type { RecordsOf } from './wire.ts';

export function resolveTime(question: TimeQuestion, { tenant }: RecordsOf): Promise<TimeAnswer> {
  const activities = proxyLocalActivities<{ [RESOLVE_TIME](request: TimeRequest): Promise<TimeAnswer> }>({
    startToCloseTimeout: '10s',
    summary: `work out the time (${question.kind})`,
  });
  return activities[RESOLVE_TIME]({ tenant, question });
}
