/** Questions about time: one is one local activity, whose marker keeps the answer. */
import type { TimeAnswer, TimeQuestion, TimeRequest } from '../../definitions/time/question.ts';
import { LIMITS } from '../../definitions/limits.ts';
import { RESOLVE_TIME } from '../../definitions/wire.ts';
import type { LocalTurns } from './local-turns.ts';
import type { RecordsOf } from './wire.ts';

export function resolveTime(question: TimeQuestion, { tenant }: RecordsOf, locals: LocalTurns): Promise<TimeAnswer> {
  const activities = locals.proxy<{ [RESOLVE_TIME](request: TimeRequest): Promise<TimeAnswer> }>({
    startToCloseTimeout: LIMITS.localMs,
    summary: `work out the time (${question.kind})`,
  });
  return activities[RESOLVE_TIME]({ tenant, question });
}
