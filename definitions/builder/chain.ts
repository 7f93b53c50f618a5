/**
 * What stands behind {@link Head} and {@link Steps} at run time: the same methods, without their types.
 *
 * Invariants:
 * 1. A chain never changes; every method gives a new one.
 * 2. It only writes down. What is right is settled by the types, and by the validation in `build`.
 */
import { type CheckOptions, checkDefinition } from '../check-definition.ts';
import { FermataError } from '../fermata-error.ts';
import { describeIssue } from '../issue.ts';
import type { Definition, Json, JsonSchema } from '../types.ts';
import {
  casesOf,
  childFields,
  commandFields,
  type Draft,
  draftOf,
  eventNames,
  type Fields,
  given,
  givenFields,
  nodesOf,
  undoOf,
  waitOf,
} from './node-parts.ts';
import { expressionOf, redactedPath, templateOf } from './render.ts';
import { jsonSchemaOf, type StandardSchema } from './standard-schema.ts';

type Body = (scope: Chain) => Chain;

export class Chain {
  readonly #fields: Fields;
  readonly #triggers: readonly Json[];
  readonly #drafts: readonly Draft[];

  constructor(fields: Fields = {}, triggers: readonly Json[] = [], drafts: readonly Draft[] = []) {
    this.#fields = fields;
    this.#triggers = triggers;
    this.#drafts = drafts;
  }

  on(event: unknown, options?: unknown): Chain {
    return this.#trigger({ event: eventNames(event), ...triggerFields(options) });
  }

  schedule({ input, ...schedule }: Fields): Chain {
    return this.#trigger({ schedule, input });
  }

  webhook(path: string, options: unknown): Chain {
    const { secret, event, ...rest } = triggerFields(options);
    return this.#trigger({ webhook: { path, secret }, event: eventNames(event), ...rest });
  }

  input(schema: StandardSchema | JsonSchema): Chain {
    return this.#with({ input: jsonSchemaOf(schema) });
  }

  vars(values: unknown): Chain {
    return this.#with({ vars: given(values) });
  }

  entity(entity: unknown): Chain {
    return this.#with({ entity: given(entity) });
  }

  key(key: unknown): Chain {
    return this.#with({ key: given(key) });
  }

  action(id: string, ...[command, payload, options]: readonly [unknown, unknown?, Fields?]): Chain {
    const { undo, ...rest } = options ?? {};
    const config = { ...commandFields(command), payload: given(payload) };
    return this.#add(draftOf('action', id, { config, options: { ...rest, undo: undoOf(undo) } }));
  }

  condition(id: string, expression: unknown, options?: Fields): Chain {
    return this.#node('condition', id, [{ expression: expressionOf(given(expression)) }, options]);
  }

  switch(id: string, cases: unknown, flow?: Fields): Chain {
    return this.#node('switch', id, [casesOf(givenFields(cases)), flow]);
  }

  assign(id: string, vars: unknown, flow?: Fields): Chain {
    return this.#node('assign', id, [{ vars: given(vars) }, flow]);
  }

  delay(id: string, time: unknown, flow?: Fields): Chain {
    const config =
      typeof time === 'number' ? { delayMs: time } : typeof time === 'string' ? { duration: time } : givenFields(time);
    return this.#node('delay', id, [config, flow]);
  }

  event(id: string, ...[event, wait, flow]: readonly [unknown, unknown?, Fields?]): Chain {
    return this.#node('event', id, [{ event: eventNames(event), ...waitOf(givenFields(wait)) }, flow]);
  }

  approval(id: string, options: unknown, flow?: Fields): Chain {
    const { form, ...config } = givenFields(options);
    const schema = form === undefined ? {} : { form: jsonSchemaOf(form as StandardSchema | JsonSchema) };
    return this.#node('approval', id, [{ ...config, ...schema }, flow]);
  }

  parallel(id: string, bodies: { readonly [branch: string]: Body }, options: Fields = {}): Chain {
    const { optional = [], ...rest } = options as Fields & { readonly optional?: readonly string[] };
    const branches = Object.entries(bodies).map(([branch, body]) => ({
      id: branch,
      ...scopeOf(body),
      ...(optional.includes(branch) ? { optional: true } : {}),
    }));
    return this.#node('parallel', id, [{ branches }, rest]);
  }

  forEach(id: string, ...[items, body, options]: readonly [unknown, Body, Fields?]): Chain {
    const { items: list, ...rest } = givenFields(items);
    return this.#node('forEach', id, [{ items: expressionOf(list), ...rest, ...scopeOf(body) }, options]);
  }

  scope(id: string, body: Body, options?: Fields): Chain {
    return this.#node('scope', id, [scopeOf(body), options]);
  }

  workflow(id: string, ...[child, input, options]: readonly [unknown, unknown?, Fields?]): Chain {
    return this.#node('workflow', id, [{ ...childFields(child), input: given(input) }, options]);
  }

  emit(id: string, ...[event, data, options]: readonly [unknown, unknown?, Fields?]): Chain {
    const { subject, ...flow } = options ?? {};
    const config = { event: eventNames(event), subject: given(subject), data: given(data) };
    return this.#node('emit', id, [config, flow]);
  }

  end(id: string, end?: unknown, flow?: Fields): Chain {
    return this.#add(
      draftOf('end', id, { ...(end === undefined ? {} : { config: givenFields(end) }), options: flow ?? {} }),
    );
  }

  node(node: Draft['node']): Chain {
    const { nextNodeId = null, ...rest } = node;
    return this.#add({ node: rest, next: nextNodeId as string | null });
  }

  output(value: unknown): Chain {
    return this.#with({ output: given(value) });
  }

  redact(paths: unknown): Chain {
    return this.#with({ redact: (given(paths) as readonly unknown[]).map(redactedPath) });
  }

  build(options?: CheckOptions): Definition {
    const document = this.#document();
    const { definition, issues } = checkDefinition(document, options);
    if (definition !== null) return definition;
    const errors = issues.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const message = `the definition ${JSON.stringify(this.#fields['id'])} is not valid: ${first ? describeIssue(first) : ''}`;
    throw new FermataError('definition.invalid', message, { issues: errors as unknown as Json });
  }

  /** What the chain is as a scope inside another. */
  inside(): Fields {
    const { output } = this.#fields;
    return { nodes: nodesOf(this.#drafts), output };
  }

  #document(): Json {
    const trigger = this.#triggers.length > 1 ? this.#triggers : this.#triggers[0];
    return templateOf({ ...this.#fields, ...(trigger === undefined ? {} : { trigger }), nodes: nodesOf(this.#drafts) });
  }

  #node(type: string, id: string, [config, options = {}]: readonly [Fields, (Fields | undefined)?]): Chain {
    return this.#add(draftOf(type, id, { config, options }));
  }

  #add(draft: Draft): Chain {
    return new Chain(this.#fields, this.#triggers, [...this.#drafts, draft]);
  }

  #with(fields: Fields): Chain {
    return new Chain({ ...this.#fields, ...fields }, this.#triggers, this.#drafts);
  }

  #trigger(trigger: Fields): Chain {
    return new Chain(this.#fields, [...this.#triggers, templateOf(trigger)], this.#drafts);
  }
}

function triggerFields(options: unknown): Fields {
  const { filter, ...rest } = givenFields(options);
  return filter === undefined ? rest : { ...rest, filter: expressionOf(filter) };
}

function scopeOf(body: Body): Fields {
  return body(new Chain()).inside();
}
