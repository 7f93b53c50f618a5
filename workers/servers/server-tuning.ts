/**
 * Dynamic configuration of Temporal servers that we start, in place of defaults that cost latency on a small server.
 * `docker/temporal/dynamicconfig.yaml` holds the same values; a test keeps them equal.
 */
export const SERVER_TUNING: Readonly<Record<string, number | string>> = {
  /** A shard loads its queue at most 20 times a second by default: every step then waits for a 50 ms tick. */
  'history.transferProcessorMaxPollRPS': 1000,
  /** The same limit for timers: behind the time-outs of steps that ended long ago, a short delay waits for several ticks. */
  'history.timerProcessorMaxPollRPS': 1000,
  /** Timers look this far ahead; 1 s by default makes short timers late by as much. Must exceed clock skew between hosts. */
  'history.timerProcessorMaxTimeShift': '10ms',
  /** One partition finds the waiting poller at once; four (the default) forward between each other. */
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

/** The same as arguments of `temporal server start-dev`. */
export function tuningArguments(): string[] {
  return Object.entries(SERVER_TUNING).flatMap(([key, value]) => [
    '--dynamic-config-value',
    `${key}=${JSON.stringify(value)}`,
  ]);
}
