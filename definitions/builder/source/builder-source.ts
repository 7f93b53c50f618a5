/**
 * `toBuilderSource`: a definition as the TypeScript that builds it.
 *
 * Invariants:
 * 1. Compiled and run, the source gives the same definition.
 * 2. What nobody gave a type is not checked in it: that is what people add, with `on<Lead>` and commands for their names.
 */
import { isList } from '../../json/json-kinds.ts';
import type { Definition, Json, JsonObject } from '../../types.ts';
import { type Code, layout } from './layout.ts';
import { type Place, placesOf, triggerPlace } from './scopes.ts';
import { call, stepsOf } from './steps-source.ts';
import { literal, quoted, record, template } from './values.ts';

export interface SourceOptions {
  /** What the source imports the builder from. Default `fermata/definitions`. */
  readonly from?: string;
}

/** Gives the source of a module whose default export is the definition, which must be valid. */
export function toBuilderSource(definition: Definition, { from = 'fermata/definitions' }: SourceOptions = {}): string {
  const imports = new Set(['define']);
  const { head, first } = placesOf(definition, imports);
  const { calls, end } = stepsOf(definition.nodes, first);
  const { output, redact } = definition;
  const all = [
    ...headCalls(definition as unknown as JsonObject, head),
    ...calls,
    ...(output === undefined ? [] : [call('output', [template(output, end)])]),
    ...(redact === undefined ? [] : [call('redact', [literal(redact)])]),
    '.build()',
  ];
  const body = layout({ head: `export default ${beginning(definition)}`, calls: all }, 0, 0);
  return `import { ${[...imports].toSorted().join(', ')} } from ${quoted(from)};\n\n${body};\n`;
}

const OPTIONS = ['$schema', 'name', 'description', 'tags', 'enabled', 'start', 'defaults', 'timeout', 'onFailure'];

function beginning(definition: Definition): string {
  const fields = Object.entries(definition as unknown as JsonObject).filter(
    ([name]) =>
      OPTIONS.includes(name) || name.startsWith('x-') || (name === 'trigger' && callsOfTrigger(definition) === null),
  );
  const options = fields.length === 0 ? undefined : literal(Object.fromEntries(fields));
  const code = call('define', [quoted(definition.id), options]);
  return layout(code, 0, 'export default '.length).slice(1);
}

function headCalls(definition: JsonObject, place: Place): readonly Code[] {
  const { input, vars, entity, key } = definition;
  const triggers = callsOfTrigger(definition as unknown as Definition) ?? [];
  return [
    ...triggers.map((make) => make(triggerPlace(place.imports))),
    ...(input === undefined ? [] : [call('input', [literal(input)])]),
    ...(vars === undefined ? [] : [call('vars<Record<string, unknown>>', [template(vars, place)])]),
    ...(entity === undefined ? [] : [call('entity', [template(entity, place)])]),
    ...(key === undefined ? [] : [call('key', [template(key, place)])]),
  ];
}

/** The calls that make the triggers; `null` where they cannot: then they are an option, as they stand. */
function callsOfTrigger({ trigger }: Definition): readonly ((place: Place) => Code)[] | null {
  if (trigger === undefined) return [];
  const list = trigger as unknown as Json;
  const triggers = (isList(list) ? list : [list]) as readonly JsonObject[];
  if (isList(list) && list.length === 1) return null;
  const calls = triggers.map(callOfTrigger);
  return calls.includes(null) ? null : (calls as readonly ((place: Place) => Code)[]);
}

function callOfTrigger(trigger: JsonObject): ((place: Place) => Code) | null {
  const { event = '', schedule, webhook, filters, filter, input, ...others } = trigger;
  if (Object.keys(others).length > 0) return null;
  const tests = [
    ['filters', 'json', filters],
    ['filter', 'json', filter],
    ['input', 'template', input],
  ] as const;
  if (schedule !== undefined) {
    return () =>
      call('schedule', [literal({ ...(schedule as JsonObject), ...(input === undefined ? {} : { input }) })]);
  }
  if (webhook === undefined) {
    const isBare = [filters, filter, input].every((field) => field === undefined);
    return (scope) => call('on', [literal(event), isBare ? undefined : record(tests, { scope })]);
  }
  const { path = '', secret, ...rest } = webhook as JsonObject;
  if (Object.keys(rest).length > 0) return null;
  const own = [
    ['secret', 'json', secret],
    ['event', 'json', event],
  ] as const;
  return (scope) => call('webhook', [literal(path), record([...own, ...tests], { scope })]);
}
