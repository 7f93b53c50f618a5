/**
 * The limits that keep a run well below those of Temporal, where passing one ends or hangs it.
 * Sizes are bytes of UTF-8 JSON. Measured edges and reasons: `docs/limits.md`.
 */
export const LIMITS = {
  /** Input of a run and an event's `data`, refused at the door. */
  inputBytes: 256 * 1024,
  /** Payload of a command and output of a node: `PAYLOAD_TOO_LARGE`. */
  valueBytes: 256 * 1024,
  /** What a node gives that joins many outputs into one: it stays in the state, and is no payload by itself. */
  joinedBytes: 640 * 1024,
  /** An output, or a member of one, leaves the history above this, where nothing else is said. */
  keptFromBytes: 64 * 1024,
  /** One value outside the history, and a payload with all that is put into it, where nothing else is said. */
  keptBytes: 16 * 1024 * 1024,
  /** The same, whatever is said; and an output of a run with its kept values. */
  mostKeptBytes: 64 * 1024 * 1024,
  /** What was said to one approval, and decisions kept before theirs is open: they travel with the run. */
  decisionBytes: 192 * 1024,
  /** Outputs and variables of a run together. */
  stateBytes: 1024 * 1024,
  /** What a run takes along into a fresh history, all together (Temporal ends at 2 MiB). */
  argumentBytes: 1984 * 1024,
  /** `source` and `subject` of an event. */
  eventTextBytes: 1024,
  /** An event as a signal; of larger ones the run is told, and looks them up. Ten thousand fit into a history. */
  signalBytes: 4 * 1024,
  /** A definition travels with its run up to this size, beyond it by reference. */
  inlineDefinitionBytes: 16 * 1024,
  /** A definition document. */
  definitionBytes: 1024 * 1024,
  /** Message of a failure, cut in the worker. */
  failureMessageBytes: 4 * 1024,
  /** Stack of a failure, cut in the worker. */
  failureStackBytes: 8 * 1024,
  /** Text of one search attribute. */
  searchAttributeBytes: 2000,
  /** An id that reaches Temporal. */
  idBytes: 255,
  /** One part of a run id; longer ones are cut and get a hash. */
  idPartBytes: 80,
  /** Visits that a walk may make without an effect before it yields. */
  fuelVisits: 1000,
  /** Expression steps that a walk may take without an effect before it yields. */
  fuelSteps: 50_000,
  /** Steps of one evaluation: beyond it `EXPRESSION_ERROR`. */
  expressionSteps: 10_000,
  /** Text of one expression, in characters. */
  expressionLength: 4096,
  /** Nesting of brackets in one expression. */
  expressionDepth: 50,
  /** Events of one history before it rolls over where nothing is under way; at twice as many in any case. */
  historyEvents: 4096,
  /** Bytes of one history before it rolls over in any case (Temporal ends at 50 MiB). */
  historyBytes: 16 * 1024 * 1024,
  /** Updates of one history before it rolls over (Temporal ends at 2,000). */
  updatesPerHistory: 1500,
  /** Signals of one history before it rolls over (Temporal ends at 10,000). */
  signalsPerHistory: 8000,
  /** Visits of one node, where `maxVisits` says nothing else. */
  maxVisits: 1000,
  /** Longest attempt of a `local` command that is carried out as such; see `workflows/temporal/clock.ts`. */
  localMs: 7000,
  /** Commands of one run under way at once; others wait for a slot (Temporal hangs at 2,000 pending activities). */
  commandsInFlight: 200,
  /** Branches or items of one node under way at once. */
  partsInFlight: 200,
  /** Runs that one history begins before it rolls over (Temporal hangs at 2,000 that have not ended). */
  childrenPerHistory: 1500,
  /** Runs that begin runs that begin runs: a definition that calls itself ends here. */
  childDepth: 50,
  /** Nesting of JSON from outside. */
  jsonDepth: 32,
  /** Nesting of a definition: a fork in a fork is five levels deeper, and eight of them must fit. */
  definitionDepth: 64,
  /** Temporal's own limit on a run, well behind every declared one. */
  runTimeoutMs: 10 * 365 * 24 * 3600 * 1000,
} as const;
