/**
 * The patch registry: every change of what the walker asks of Temporal since a released version.
 *
 * A change that would make an old history take another way is guarded by `patched(id)` and listed here, so that a
 * reader finds all of them in one place, and each can be removed when no run needs it any more.
 */
export interface Patch {
  /** The id that is written into histories. */
  readonly id: string;
  /** What changed. */
  readonly what: string;
  readonly why: string;
  /** The first released version with the change. */
  readonly since: string;
  /** When the old way may be removed. */
  readonly until: string;
}

/** None yet: histories of the first release are the beginning. */
export const PATCHES: readonly Patch[] = [];
