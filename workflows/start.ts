/**
 * What a run is started with: the single argument of the interpreter workflow.
 *
 * Invariants:
 * 1. Everything a run needs is in here; no step is spent on loading it, unless the definition travels by reference.
 * 2. `checkpoint` is there only when a run goes on in a fresh history.
 */
import type { CloudEvent, Definition, HandlerBindings, Initiator, Json } from '../definitions/types.ts';
import type { Checkpoint } from './checkpoint.ts';

/** A version, whole. */
export interface DefinitionVersion {
  readonly id: string;
  readonly version: number | null;
  readonly hash: string;
  readonly document: Definition;
  readonly handlers: HandlerBindings;
}

/** A version by reference, loaded by its hash before the walk. */
export type DefinitionReference = Omit<DefinitionVersion, 'document' | 'handlers'>;

export interface RunIdentity {
  readonly id: string;
  readonly tenant: string;
  readonly initiator: Initiator;
  readonly entity: { readonly type: string; readonly id: string } | null;
  /** How many runs stand above it, each of which began the next; absent: none. */
  readonly depth?: number;
}

export interface RunStart {
  readonly definition: DefinitionVersion;
  readonly input: Json;
  readonly event: CloudEvent | null;
  readonly run: RunIdentity;
  readonly checkpoint?: Checkpoint;
}
