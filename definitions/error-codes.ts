/**
 * Every code of a {@link FermataError}, in one table: what it means, whether trying again can help, what to do.
 *
 * What it is not: the errors of runs and nodes, which are the UPPER_SNAKE types of the language (`errors.ts`), nor the
 * codes of a definition's issues (`issue-codes.ts`).
 *
 * Invariants:
 * 1. A code is never renamed nor given another meaning; programs branch on it.
 * 2. `docs/errors.md` is generated from this table (`scripts/generate-errors.ts`), and a test says that it is current.
 */

export interface ErrorCodeEntry {
  /** What happened, in one sentence. */
  readonly summary: string;
  /** Whether the same call may succeed later with nothing changed by the caller. */
  readonly retryable: boolean;
  /** What the reader can do. */
  readonly remedy: string;
}

export const ERROR_CODES = {
  'definition.invalid': {
    summary: 'The definition has faults; `details.issues` lists all of them.',
    retryable: false,
    remedy: 'Correct the places that the issues name; `fermata validate FILE` shows them with line and column.',
  },
  'definition.unsupported': {
    summary: 'The definition is valid, but uses parts of the language that this release does not run yet.',
    retryable: false,
    remedy: 'Leave those parts out, or use a release that runs them; `details.issues` names each.',
  },
  'definition.not_found': {
    summary: 'No definition with this id is published for the tenant.',
    retryable: false,
    remedy: 'Check the id and the tenant with `fermata definitions list`.',
  },
  'definition.version_not_found': {
    summary: 'The definition has no such version.',
    retryable: false,
    remedy: '`fermata definitions show ID` lists its versions.',
  },
  'definition.disabled': {
    summary: 'The definition is disabled and starts no runs.',
    retryable: false,
    remedy: '`fermata definitions enable ID`.',
  },
  'event.invalid': {
    summary:
      'The event is not a CloudEvents 1.0 envelope with `id`, `type` and `source`, or a field has the wrong form.',
    retryable: false,
    remedy: 'Correct the fields that the message names.',
  },
  'event.conflict': {
    summary: 'An event with this id was accepted before with other content.',
    retryable: false,
    remedy: 'Give the new event an id of its own; send the same content to repeat a delivery.',
  },
  'event.not_found': {
    summary: 'No event with this id was accepted for the tenant.',
    retryable: false,
    remedy: 'Check the id and the tenant.',
  },
  'event.not_matched': {
    summary: 'No trigger of the definition takes this event; `details` names the first filter that did not hold.',
    retryable: false,
    remedy: 'Give an event that the trigger takes, or correct the filter.',
  },
  'run.not_found': {
    summary: 'No run with this id exists for the tenant.',
    retryable: false,
    remedy: 'Check the id and the tenant with `fermata runs list`.',
  },
  'run.already_exists': {
    summary: 'A run with this id exists already; an id begins one run, for ever.',
    retryable: false,
    remedy: 'Choose another id, or use the run that exists.',
  },
  'run.key_taken': {
    summary: 'Another run has the key that this one needs, and the definition says `"onConflict": "reject"`.',
    retryable: true,
    remedy: 'Start again when that run, `details.holder`, has ended; or let the definition join, queue or replace it.',
  },
  'run.input_invalid': {
    summary: "The input does not fit the definition's `input` schema.",
    retryable: false,
    remedy: 'Correct the paths that `details.errors` names.',
  },
  'run.invalid_transition': {
    summary: 'The state of the run does not allow this move.',
    retryable: false,
    remedy: 'Look at the state with `fermata runs show ID`; section 7 of the language lists the legal moves.',
  },
  'run.failed': {
    summary: 'The run ended failed; `details.error` has its error.',
    retryable: false,
    remedy: 'Look at the run with `fermata runs show ID`.',
  },
  'run.cancelled': {
    summary: 'The run ended cancelled.',
    retryable: false,
    remedy: 'Look at the run with `fermata runs show ID`.',
  },
  'run.wait_timeout': {
    summary: 'The run had not ended when the time given for waiting was over. The run itself goes on.',
    retryable: true,
    remedy: 'Wait again, or look at what the run waits for with `fermata runs show ID`.',
  },
  'value.not_found': {
    summary: 'A value that is kept outside the history of its run is not in the store of values.',
    retryable: false,
    remedy:
      'Give clients the same option `values` as workers; a store of your own has to keep values as long as their runs.',
  },
  'value.too_large': {
    summary:
      'The output of a run, with the values that are kept outside its history, is too large to be given at once.',
    retryable: false,
    remedy: 'Let a command of the run put it where it is needed, and give a smaller output.',
  },
  'approval.not_found': {
    summary: 'No approval with this task id is open or was open.',
    retryable: false,
    remedy: 'Check the task id with `fermata approvals list`.',
  },
  'approval.refused': {
    summary: 'The decision, or what was to be done with the task, is refused by the run; `details.reason` says why.',
    retryable: false,
    remedy: '`fermata approvals show TASK` says who may decide, with which outcomes, and what was decided so far.',
  },
  'approval.invalid': {
    summary: 'It has not the form of a decision or request: `by` is needed, and of a decision `outcome`.',
    retryable: false,
    remedy: 'Correct the fields that the message names.',
  },
  'handler.invalid': {
    summary: 'A command handler is declared wrongly, or two have the same type and version.',
    retryable: false,
    remedy: 'Correct the handler that the message names.',
  },
  'secret.not_found': {
    summary: 'A secret that a command refers to is not set where the worker runs.',
    retryable: true,
    remedy: "Set it in the worker's environment or secret file, under the name that the message gives.",
  },
  'json.invalid': {
    summary: 'The text or value is not acceptable JSON; `details.path` says where.',
    retryable: false,
    remedy:
      'Correct that place. Whole numbers beyond 2^53-1 belong in strings; keys must be unique; U+0000 is refused.',
  },
  'input.too_large': {
    summary: 'A value is larger than the limit; `details` has both sizes in bytes.',
    retryable: false,
    remedy: 'Keep the data elsewhere and pass a reference to it.',
  },
  'mocks.invalid': {
    summary: 'The mocks of a simulation have faults; `details.issues` lists all of them.',
    retryable: false,
    remedy: 'Correct the places that the issues name.',
  },
  'calendar.invalid': {
    summary: 'The calendar has faults; `details.issues` lists all of them.',
    retryable: false,
    remedy: 'Correct the places that the issues name.',
  },
  'calendar.not_found': {
    summary: 'No calendar with this name is stored for the tenant, or it has no such version.',
    retryable: false,
    remedy: 'Check the name and the tenant with `fermata calendars list`.',
  },
  'simulation.too_long': {
    summary: 'A simulation made more visits than it may and had not ended; `details` says where it was.',
    retryable: false,
    remedy: 'Look for a loop that nothing ends, or allow more: `--max-visits N`, `simulate(…, { maxVisits })`.',
  },
  'store.unavailable': {
    summary: 'PostgreSQL cannot be reached, or refuses the connection.',
    retryable: true,
    remedy: 'Check that it runs and that `DATABASE_URL` is right; `fermata dev` starts one.',
  },
  'store.invalid': {
    summary: 'The database does not have the tables of this release.',
    retryable: false,
    remedy: 'Run the migrations: every worker and `fermata dev` do so at start.',
  },
  'temporal.unavailable': {
    summary: 'The Temporal server cannot be reached, or refuses the connection.',
    retryable: true,
    remedy: 'Check that it runs and that `TEMPORAL_ADDRESS` is right; `fermata dev` starts one.',
  },
  'temporal.rejected': {
    summary: 'Temporal refused a request that it should have taken.',
    retryable: false,
    remedy: 'Read the message of the server; the namespace or its search attributes may be missing.',
  },
  'server.unavailable': {
    summary: 'A server for local development could not be found or started.',
    retryable: false,
    remedy: 'Follow the message: it names what was tried and the ways to install it.',
  },
  'config.invalid': {
    summary: 'An option or environment variable is missing or has the wrong form.',
    retryable: false,
    remedy: 'Correct the option that the message names.',
  },
  'usage.invalid': {
    summary: 'A command or function was called in a way that it does not have.',
    retryable: false,
    remedy:
      'Correct the argument that the message names; of the command line, read the help: `fermata COMMAND --help`.',
  },
  'internal.error': {
    summary: 'A fault of Fermata itself.',
    retryable: false,
    remedy: 'Report it with the message and what was done.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;
