/**
 * What a run begins with, worked out before it begins: its input, what it is about, and the key that it needs. The same
 * at every door and in the simulator.
 *
 * Invariant: everything is refused here, before the run is there; a fault found here is never an error of a run.
 */
import { compileTemplate, Meter, type Names } from './expressions/index.ts';
import { RunError } from './errors.ts';
import { FermataError } from './fermata-error.ts';
import { type KeyClaim, keyClaim } from './key-claim.ts';
import { validateJson } from './json/json-schema.ts';
import { LIMITS } from './limits.ts';
import { jsonBytes } from './json/size.ts';
import { isoTime } from './timestamps.ts';
import type { CloudEvent, Definition, Entity, EventTrigger, Initiator, Json, Template } from './types.ts';

export interface StartRequest {
  /** `null`: started by hand. */
  readonly event: CloudEvent | null;
  /** The trigger that takes the event; `null`: none maps its input. */
  readonly trigger: EventTrigger | null;
  /** Default: what the trigger maps, else the event's `data`, else `null`. */
  readonly input?: Json;
  readonly run: {
    readonly id: string;
    readonly version: number | null;
    readonly tenant: string;
    readonly initiator: Initiator;
  };
  /** When it is asked for, in milliseconds since 1970: `now` and `run.startedAt` of what is evaluated here. */
  readonly atMs: number;
}

export interface StartFacts {
  readonly input: Json;
  readonly entity: Entity | null;
  /** `null`: the definition has no `key`. */
  readonly key: KeyClaim | null;
}

/** @throws FermataError `run.input_invalid`, `input.too_large` */
export function startFacts(definition: Definition, request: StartRequest): StartFacts {
  const { event, run, atMs } = request;
  const { initiator, ...identity } = run;
  const facts = {
    ...identity,
    definitionId: definition.id,
    initiator: { id: initiator.id, kind: initiator.kind },
    startedAt: isoTime(atMs),
  };
  const names: Names = { event, input: null, vars: {}, nodes: {}, run: facts, now: atMs };
  const input = request.input === undefined ? mappedInput(request, names) : request.input;
  checkInput(definition, input);
  const entity = entityOf(definition, { ...names, input });
  const key = keyOf(definition, { ...names, input, run: { ...facts, entity } });
  return { input, entity, key };
}

function mappedInput({ trigger, event }: StartRequest, names: Names): Json {
  if (trigger?.input === undefined) return event?.data ?? null;
  return evaluate("the trigger's input", trigger.input, names);
}

function checkInput({ id, input: schema = true }: Definition, input: Json): void {
  const bytes = jsonBytes(input);
  if (bytes > LIMITS.inputBytes) {
    const message = `the input of "${id}" has ${bytes} bytes; the limit is ${LIMITS.inputBytes}. Keep the data elsewhere and pass a reference to it`;
    throw new FermataError('input.too_large', message, { bytes, limit: LIMITS.inputBytes });
  }
  const errors = validateJson(schema, input);
  if (errors.length === 0) return;
  const listed = errors.map(({ path, message }) => `${path === '' ? 'the input' : path}: ${message}`).join('; ');
  throw new FermataError('run.input_invalid', `The input does not fit "${id}". ${listed}`, {
    errors: errors.map((error) => ({ ...error })),
  });
}

function entityOf({ entity }: Definition, names: Names): StartFacts['entity'] {
  if (entity === undefined) return null;
  const text = (field: 'type' | 'id'): string => {
    const value = evaluate(`entity.${field}`, entity[field], names);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return { type: text('type'), id: text('id') };
}

function keyOf(definition: Definition, names: Names): KeyClaim | null {
  const { key } = definition;
  return key === undefined ? null : keyClaim(definition, evaluate('key.value', key.value, names));
}

/** A fault before the run is there refuses the start. */
function evaluate(what: string, template: Template, names: Names): Json {
  try {
    return compileTemplate(template).evaluate(names, new Meter());
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw new FermataError('run.input_invalid', `${what} is not usable: ${error.message}`, error.details ?? null);
  }
}
