/**
 * The start of a simulated run: the same checks that the doors of production make, and the same answers.
 *
 * Invariants:
 * 1. The event is bound as given: nothing is added to it. Without an event trigger nothing of it is checked.
 * 2. Everything is refused before the run begins; a run that has begun has a document.
 */
import {
  checkDefinition,
  describeIssue,
  FermataError,
  type HandlerCatalog,
  type Issue,
  resolveBindings,
  toJson,
  unsupportedIssues,
} from '../definitions/index.ts';
import { eventTriggers } from '../definitions/event-triggers.ts';
import { type Match, SubscriptionIndex } from '../definitions/matching/index.ts';
import type { KeyClaim } from '../definitions/key-claim.ts';
import { startFacts } from '../definitions/start-facts.ts';
import type { CloudEvent, Definition, EventTrigger, Json } from '../definitions/types.ts';
import { DEFAULT_TENANT } from '../definitions/wire.ts';
import type { DefinitionVersion, RunIdentity, RunStart } from '../workflows/start.ts';

export interface StartOptions {
  /** The event that starts the run, as the run is to see it. Default: started by hand. */
  readonly event?: Json;
  /** The run's input. Default: what the trigger maps, else the event's `data`, else `null`. */
  readonly input?: Json;
  /** Last part of the run id. Default: the event's id, else `simulation`. */
  readonly id?: string;
  /** What is known of the handlers: their versions, retry policies and timeouts apply. Default: nothing. */
  readonly handlers?: HandlerCatalog;
}

export interface PreparedStart {
  readonly start: RunStart;
  /** As the document shows it; `null`: the definition has none. */
  readonly key: string | null;
}

/**
 * Checks a definition and what starts it. Its key is worked out; in a simulation it is always free.
 *
 * @throws FermataError `definition.invalid`, `definition.unsupported`, `event.invalid`, `event.not_matched` or
 * `run.input_invalid`
 */
export function prepareStart(document: Definition, startMs: number, options: StartOptions): PreparedStart {
  const version = readVersion(document, options.handlers ?? {});
  const definition = version.document;
  const event = readEvent(options.event);
  const trigger = event === null ? null : triggerFor(definition, event);
  const id = `${definition.id}/${options.id ?? event?.id ?? 'simulation'}`;
  const run: Omit<RunIdentity, 'entity'> = {
    id,
    tenant: DEFAULT_TENANT,
    initiator:
      event === null ? { id: 'simulation', kind: 'user' } : { id: event.source ?? 'simulation', kind: 'event' },
  };
  const { input, entity, key } = startFacts(definition, {
    event,
    trigger,
    ...(options.input === undefined ? {} : { input: toJson(options.input) }),
    run: { ...run, version: null },
    atMs: startMs,
  });
  return { start: { definition: version, input, event, run: { ...run, entity } }, key: key && keyShown(key) };
}

/** The store shows a hash where values are hidden, and of a long text. */
function keyShown({ text, hidden }: KeyClaim): string {
  return hidden ? '(hidden)' : text;
}

/** A definition as a version that was never published. @throws FermataError `definition.invalid`, `definition.unsupported` */
export function readVersion(given: Definition, catalog: HandlerCatalog): DefinitionVersion {
  const document = readDefinition(given, catalog);
  const handlers = resolveBindings(document, catalog);
  // The text of the document serves as its hash, which is only ever compared.
  return { id: document.id, version: null, hash: JSON.stringify(document), document, handlers };
}

function readDefinition(document: Definition, handlers: HandlerCatalog): Definition {
  const { definition, issues } = checkDefinition(document, { handlers });
  if (definition === null) {
    const errors = issues.filter(({ severity }) => severity === 'error');
    throw refusal('definition.invalid', 'The definition is not valid', errors);
  }
  const unsupported = unsupportedIssues(definition);
  if (unsupported.length === 0) return definition;
  throw refusal('definition.unsupported', 'This release does not run all of the definition', unsupported);
}

function refusal(code: 'definition.invalid' | 'definition.unsupported', what: string, issues: readonly Issue[]) {
  const listed = issues.map(describeIssue).join('; ');
  return new FermataError(code, `${what}. ${listed}`, { issues: issues.map((issue) => ({ ...issue })) });
}

/** An event as given: only that it is an object is asked. */
function readEvent(given: Json | undefined): CloudEvent | null {
  if (given === undefined || given === null) return null;
  const event = toJson(given);
  if (typeof event === 'object' && event !== null && !Array.isArray(event)) return event as unknown as CloudEvent;
  throw new FermataError('event.invalid', 'The event must be an object with `type`, `data` and so on');
}

/** The trigger that takes the event; `null`: the definition has no event trigger, so every event may start it. */
function triggerFor(definition: Definition, event: CloudEvent): EventTrigger | null {
  const triggers = eventTriggers(definition);
  if (triggers.length === 0) return null;
  const index = new SubscriptionIndex();
  index.add({ tenant: DEFAULT_TENANT, definitionId: definition.id, version: 1, triggers });
  // An event without a type is taken to be of the type that a trigger asks for.
  const types = event.type === undefined ? [...new Set(triggers.map((one) => one.event))] : [event.type];
  const answers = types.flatMap(
    (type) => index.explain({ ...event, type, data: event.data ?? null }, DEFAULT_TENANT).answers,
  );
  const match = answers.find(({ matched }) => matched) ?? answers[0];
  if (match?.matched) return triggers[match.trigger] ?? null;
  throw notMatched(definition, event, match);
}

function notMatched(definition: Definition, event: CloudEvent, answer: Match | undefined): FermataError {
  const why = answer?.matched === false ? answer.reason : null;
  const message =
    why === null
      ? `No trigger of "${definition.id}" takes events of the type "${event.type}"`
      : `The event does not start "${definition.id}": ${why.message}`;
  return new FermataError('event.not_matched', message, { definitionId: definition.id, reason: why && { ...why } });
}
