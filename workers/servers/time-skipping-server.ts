/**
 * Temporal's test server, which skips time when every run waits: long delays pass at once. For tests of logic; it knows
 * neither limits nor versioning nor search attributes (`docs/operations/servers.md`).
 *
 * The SDK runs the process, since only its environment can lock and unlock the server's clock.
 *
 * 1. It listens on all interfaces, and has no option against that; so it lives for the length of a test only.
 * 2. Time is one for the whole server: one test at a time, or a server for each.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Environment } from './environment.ts';
import { locateTool } from './locate-tool.ts';
import type { Log } from './log.ts';
import { TIME_SKIPPING_SERVER } from './tools.ts';

/**
 * Starts one on a free port; `teardown()` stops it.
 * @throws FermataError `server.unavailable` when the program cannot be had
 */
export async function startTimeSkippingServer(options: {
  env: Environment;
  log: Log;
}): Promise<TestWorkflowEnvironment> {
  const path = await locateTool(TIME_SKIPPING_SERVER, options);
  return TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
}
