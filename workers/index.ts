/** Workers, and the local servers for development: what `fermata/workers` exports. */
export { createWorker, type FermataWorker, type WorkerOptions, type WorkerTuning } from './worker.ts';
export { workflowBundlePath } from './bundle.ts';
export type { Notification, NotifyHook } from './notify.ts';
export type { StoryLine, StoryListener } from './story.ts';
export { quietRuntime, type WorkerLog } from './log.ts';
export { runningServers, type Servers, type StartServersOptions, startServers } from './servers/index.ts';
