/**
 * The calendars of a simulation, and answers to questions about time by them.
 *
 * Invariants:
 * 1. Each calendar has one version, 1, the whole simulation long.
 */
import { RunError } from '../definitions/errors.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import type { Calendar } from '../definitions/time/calendar.ts';
import { readCalendar } from '../definitions/time/calendar-schema.ts';
import type { TimeAnswer, TimeQuestion } from '../definitions/time/question.ts';
import { answerTime } from '../time/index.ts';
import { SimulatedFailure } from './simulated-failure.ts';

export class SimulatedCalendars {
  readonly #byName = new Map<string, Calendar>();

  /** @throws FermataError `calendar.invalid`, also for two of one name */
  constructor(given: readonly unknown[] = []) {
    for (const calendar of given.map(readCalendar)) {
      const { name } = calendar;
      if (this.#byName.has(name))
        throw new FermataError('calendar.invalid', `there are two calendars "${name}"`, { name });
      this.#byName.set(name, calendar);
    }
  }

  /** Rejects as the effect does. */
  async answer(question: TimeQuestion): Promise<TimeAnswer> {
    try {
      return await answerTime(question, ({ calendar }) => {
        const document = this.#byName.get(calendar);
        return Promise.resolve(document === undefined ? null : { version: 1, document });
      });
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const { type, message, details } = error;
      throw new SimulatedFailure({ type, message, nodeId: null, ...(details === undefined ? {} : { details }) });
    }
  }
}
