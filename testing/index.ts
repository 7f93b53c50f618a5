/**
 * `fermata/testing`: what tests of definitions import.
 */
export { type MockReply, type Mocks, parseMocks } from './mocks.ts';
export { type RecordedHistory, type ReplayDifference, type ReplayedHistory, replayHistories } from './replay.ts';
export { DEFAULT_START, simulate, type SimulateOptions } from './simulate.ts';
export type { StartOptions } from './start.ts';
export { DEFAULT_MAX_VISITS, type SimulationProgress } from './visit-limit.ts';
