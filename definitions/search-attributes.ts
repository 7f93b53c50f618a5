/**
 * The search attributes of Temporal that a run carries: name to type for registering, and what a run starts with.
 *
 * What Temporal already knows of a run is not repeated: the definition is the workflow type, the outcome its status.
 */
import { cutUtf8 } from './json/size.ts';
import { LIMITS } from './limits.ts';
import type { Entity } from './types.ts';

export const SEARCH_ATTRIBUTES = {
  /** `running`, `paused`, `held` … (`docs/language.md`, states); set at the start, changed only on such moves. */
  FermataState: 'Keyword',
  FermataTenant: 'Keyword',
  /** `<entity type>:<entity id>`. */
  FermataEntity: 'Keyword',
  /** Version of the definition. */
  FermataVersion: 'Int',
  /** Id of the event that started the run. */
  FermataEvent: 'Keyword',
} as const;

export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;

/** In the shape of Temporal's `SearchAttributePair`. */
export type RunAttribute =
  | { readonly key: { readonly name: NameOf<'Keyword'>; readonly type: 'KEYWORD' }; readonly value: string }
  | { readonly key: { readonly name: NameOf<'Int'>; readonly type: 'INT' }; readonly value: number };

/** Names of the search attributes of one type. */
type NameOf<Type extends 'Keyword' | 'Int'> = {
  [Name in SearchAttributeName]: (typeof SEARCH_ATTRIBUTES)[Name] extends Type ? Name : never;
}[SearchAttributeName];

/** What a run carries from its start on. */
export function attributesOf(run: {
  readonly tenant: string;
  readonly version: number | null;
  readonly entity: Entity | null;
  readonly eventId: string | null;
}): RunAttribute[] {
  const { tenant, version, entity, eventId } = run;
  return [
    keyword('FermataState', 'running'),
    keyword('FermataTenant', tenant),
    ...(version === null ? [] : [{ key: { name: 'FermataVersion', type: 'INT' }, value: version } as const]),
    ...(entity === null ? [] : [keyword('FermataEntity', `${entity.type}:${entity.id}`)]),
    ...(eventId === null ? [] : [keyword('FermataEvent', eventId)]),
  ];
}

function keyword(name: NameOf<'Keyword'>, value: string): RunAttribute {
  return { key: { name, type: 'KEYWORD' }, value: cutUtf8(value, LIMITS.searchAttributeBytes) };
}
