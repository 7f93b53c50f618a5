/**
 * Local servers for development and tests: found on this machine, or fetched, started and stopped.
 * `time-skipping-server.ts` stands apart, as it loads the SDK's test kit.
 */
export type { Environment } from './environment.ts';
export { findTemporal, type FoundTemporal } from './find-temporal.ts';
export type { Log } from './log.ts';
export { projectFolder } from './project-folder.ts';
export { registerSearchAttributes } from './register-search-attributes.ts';
export { SERVER_TUNING } from './server-tuning.ts';
export { runningServers, type ServersRecord } from './servers-record.ts';
export {
  type PostgresEndpoint,
  type ServerChoice,
  type Servers,
  type StartServersOptions,
  startServers,
  type TemporalEndpoint,
} from './start-servers.ts';
