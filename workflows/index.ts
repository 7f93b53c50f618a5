/** The pure walker and the shapes of a run: what `fermata/workflows` exports. */
export type { DecisionAnswer } from './decisions.ts';
export type { CancelRequest, Checkpoint, Ending } from './checkpoint.ts';
export type { CancellableEffects, CommandOrder, Effects, ResolvedRetry, Wait } from './effects.ts';
export { PATCHES, type Patch } from './patches.ts';
export { createRun, type Run, type RunEnd, type RunView } from './run.ts';
export type { DefinitionReference, DefinitionVersion, RunIdentity, RunStart } from './start.ts';
