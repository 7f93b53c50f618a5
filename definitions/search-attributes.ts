/**
 * The search attributes of Temporal that a run carries: name to type, for registering and for writing.
 *
 * What Temporal already knows of a run is not repeated: the definition is the workflow type, the outcome its status.
 */
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
