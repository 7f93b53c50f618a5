/** What passes between a test of keys and the processes of `key-main.ts`. */

/** The advisory lock that the processes wait for, so that all begin at one instant. */
export const GATE = 7_221_965_025;

export interface Start {
  readonly door: 'start' | 'event';
  readonly definitionId: string;
  readonly id: string;
}

export interface Answer {
  readonly definitionId: string;
  /** Of a start that was refused: the run that has the key. */
  readonly runId: string;
  readonly status: string;
}
