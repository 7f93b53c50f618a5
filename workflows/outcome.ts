/**
 * How a visit ends, and how a scope ends.
 *
 * What it is: the vocabulary between node types, routing and the walk.
 * What it is not: a decision about where the run goes next; that is `routing.ts` alone.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Json } from '../definitions/types.ts';
import type { Ending } from './checkpoint.ts';

export type Outcome =
  /** The visit did its work; `error`: what went wrong without failing it. */
  | { readonly kind: 'success'; readonly output: Json; readonly error?: ErrorInfo }
  /** A condition was evaluated. */
  | { readonly kind: 'condition'; readonly holds: boolean }
  /** A switch chose. */
  | { readonly kind: 'jump'; readonly nextNodeId: string; readonly label: string }
  /** People or events chose; `good` is the outcome that goes to `nextNodeId`. */
  | {
      readonly kind: 'named';
      readonly name: string;
      readonly good: boolean;
      readonly output: Json;
      /** The error it is, if no path takes it. */
      readonly otherwise: ErrorInfo;
    }
  /** The run ends here, whatever the depth. */
  | { readonly kind: 'end'; readonly ending: Ending }
  | { readonly kind: 'error'; readonly error: ErrorInfo };

/** The visit keeps its state in the checkpoint and goes on in a fresh history. */
export const SUSPENDED = { kind: 'suspended' } as const;

export type Step = Outcome | typeof SUSPENDED;

export type ScopeEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'end'; readonly ending: Ending }
  | { readonly kind: 'error'; readonly error: ErrorInfo }
  | typeof SUSPENDED;

/** What `nodes.<id>.outcome` and the trace call an outcome. */
export function outcomeName(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'success':
      return 'success';
    case 'condition':
      return outcome.holds ? 'true' : 'false';
    case 'jump':
      return outcome.label;
    case 'named':
      return outcome.name;
    case 'end':
      return outcome.ending.state;
    case 'error':
      return 'error';
  }
}
