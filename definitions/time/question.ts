/**
 * Questions about time whose answer depends on the host: on its zone data, or on calendars in the store.
 *
 * What it is: plain data that the walker sends out by its port and whose answer is recorded, so that a replay on
 * another host goes the same way. What it is not: the answer, which `time/` computes.
 */

/** A moment by the clocks of a named zone. Moments are milliseconds since 1970. */
export type MomentQuestion =
  /** The first firing of a cron pattern behind `after`. */
  | { readonly kind: 'cron'; readonly cron: string; readonly timeZone: string; readonly after: number }
  /** What a timestamp without an offset means. */
  | { readonly kind: 'local'; readonly text: string; readonly timeZone: string }
  /** `from` and a duration, whose months and years are counted on the calendar of the zone. */
  | { readonly kind: 'add'; readonly from: number; readonly duration: string; readonly timeZone: string };

/** Which calendar; without a version its newest. */
export interface CalendarReference {
  readonly calendar: string;
  readonly version: number | null;
}

export type CalendarQuestion = CalendarReference &
  (
    | /** The moment at which `ms` of working time have passed since `from`. */ {
        readonly kind: 'working';
        readonly from: number;
        readonly ms: number;
      }
    /** The first working moment at or behind another. */
    | { readonly kind: 'opening'; readonly of: number | MomentQuestion }
  );

export type TimeQuestion = MomentQuestion | CalendarQuestion;

export interface TimeAnswer {
  readonly at: number;
  /** The version of the calendar that was counted on; `null`: none was. */
  readonly version: number | null;
}

/** A question on its way from a run to its worker. */
export interface TimeRequest {
  readonly tenant: string;
  readonly question: TimeQuestion;
}
