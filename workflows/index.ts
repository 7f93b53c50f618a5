/** The pure walker and the shapes of a run: what `fermata/workflows` exports. */
export type { DecisionAnswer } from './decisions.ts';
export type { CancelRequest, Checkpoint, Ending } from './checkpoint.ts';
export type { CancellableEffects, Effects, Wait } from './effects.ts';
export type { CommandOrder, ResolvedRetry } from './orders.ts';
export { PATCHES, type Patch } from './patches.ts';
export { createRun, type Run, type RunEnd } from './run.ts';
export type { RunView } from './run-view.ts';
export type { DefinitionReference, DefinitionVersion, RunIdentity, RunStart } from './start.ts';
