/**
 * The start of a simulated run: the same checks that the doors of production make, and the same answers.
 *
 * Invariants:
 * 1. The event is bound as given: nothing is added to it. Without an event trigger nothing of it is checked.
 * 2. Everything is refused before the run begins; a run that has begun has a document.
 */
import { compileTemplate, Meter, type Names } from '../definitions/expressions/index.ts';
import {
  checkDefinition,
  describeIssue,
  FermataError,
  type HandlerCatalog,
  type Issue,
  resolveBindings,
  RunError,
  toJson,
  unsupportedIssues,
} from '../definitions/index.ts';
import { validateJson } from '../definitions/json-schema.ts';
import { type Match, SubscriptionIndex } from '../definitions/matching/index.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { CloudEvent, Definition, EventTrigger, Json, Template, Trigger } from '../definitions/types.ts';
import type { RunIdentity, RunStart } from '../workflows/start.ts';

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

const TENANT = 'default';

/**
 * Checks a definition and what starts it.
 *
 * @throws FermataError `definition.invalid`, `definition.unsupported`, `event.invalid`, `event.not_matched` or
 * `run.input_invalid`
 */
export function prepareStart(document: Definition, startMs: number, options: StartOptions): RunStart {
  const definition = readDefinition(document, options.handlers ?? {});
  const event = readEvent(options.event);
  const trigger = event === null ? null : triggerFor(definition, event);
  const id = `${definition.id}/${options.id ?? event?.id ?? 'simulation'}`;
  const run: Omit<RunIdentity, 'entity'> = {
    id,
    tenant: TENANT,
    initiator:
      event === null ? { id: 'simulation', kind: 'user' } : { id: event.source ?? 'simulation', kind: 'event' },
  };
  const names = { event, input: null, vars: {}, nodes: {}, run: { ...run, startedAt: isoTime(startMs) }, now: startMs };
  const input = options.input === undefined ? mappedInput(trigger, event, names) : toJson(options.input);
  checkInput(definition, input);
  const entity = entityOf(definition, { ...names, input });
  // The text of the document serves as its hash, which is only ever compared.
  const version = { id: definition.id, version: null, hash: JSON.stringify(definition), document: definition };
  const handlers = resolveBindings(definition, options.handlers ?? {});
  return { definition: { ...version, handlers }, input, event, run: { ...run, entity } };
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
  const { trigger = [] } = definition;
  const all: readonly Trigger[] = 'length' in trigger ? trigger : [trigger];
  const triggers = all.filter((one): one is EventTrigger => 'event' in one && !('webhook' in one));
  if (triggers.length === 0) return null;
  const index = new SubscriptionIndex();
  index.add({ tenant: TENANT, definitionId: definition.id, version: 1, triggers });
  // An event without a type is taken to be of the type that a trigger asks for.
  const types = event.type === undefined ? [...new Set(triggers.map((one) => one.event))] : [event.type];
  const answers = types.flatMap((type) => index.explain({ ...event, type, data: event.data ?? null }, TENANT).answers);
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

function mappedInput(trigger: EventTrigger | null, event: CloudEvent | null, names: Names): Json {
  if (trigger?.input === undefined) return event?.data ?? null;
  return evaluate("the trigger's input", trigger.input, names);
}

function checkInput({ id, input: schema = true }: Definition, input: Json): void {
  const errors = validateJson(schema, input);
  if (errors.length === 0) return;
  const listed = errors.map(({ path, message }) => `${path === '' ? 'the input' : path}: ${message}`).join('; ');
  throw new FermataError('run.input_invalid', `The input does not fit "${id}". ${listed}`, {
    errors: errors.map((error) => ({ ...error })),
  });
}

function entityOf({ entity }: Definition, names: Names): RunIdentity['entity'] {
  if (entity === undefined) return null;
  const text = (field: 'type' | 'id'): string => {
    const value = evaluate(`entity.${field}`, entity[field], names);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return { type: text('type'), id: text('id') };
}

function evaluate(what: string, template: Template, names: Names): Json {
  return refusing(what, () => compileTemplate(template).evaluate(names, new Meter()));
}

/** A fault before the run is there refuses the start. */
function refusing<T>(what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw new FermataError('run.input_invalid', `${what} is not usable: ${error.message}`, error.details ?? null);
  }
}
