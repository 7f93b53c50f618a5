/**
 * Vitest's global setup of the `servers` project: ONE tuned Temporal server and ONE PostgreSQL for the whole run, on
 * free ports, with state in a temporary folder. Tests read the addresses with `inject('temporalAddress')` and the like.
 *
 * 1. Servers of the developer (`TEMPORAL_ADDRESS`, `DATABASE_URL`) are never touched.
 * 2. When a server cannot be had the run fails with the remedy; no test is ever skipped for it.
 */
import type { TestProject } from 'vitest/node';
import { startServers } from '../../workers/servers/start-servers.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `127.0.0.1:<port>` of the Temporal server. */
    temporalAddress: string;
    temporalNamespace: string;
    /** URL of a database in which nothing may be created but other databases (`test/setup/database.ts`). */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await startServers({
    projectDir: project.config.root,
    env: process.env,
    log: (line) => console.error(`[servers] ${line}`),
    temporal: 'own',
    postgres: 'own',
    persistent: false,
  });
  project.provide('temporalAddress', servers.temporal.address);
  project.provide('temporalNamespace', servers.temporal.namespace);
  project.provide('postgresUrl', servers.postgres.url);
  return () => servers.stop();
}
