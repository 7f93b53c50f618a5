/** A Temporal server as it comes, without our tuning: what hand-written code meets when nobody has tuned anything. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChildGuard } from '../workers/servers/child-guard.ts';
import { openTemporal, temporalRefusal, waitForNamespace } from '../workers/servers/connect-temporal.ts';
import { freePort, LOOPBACK } from '../workers/servers/free-port.ts';
import { locateTool } from '../workers/servers/locate-tool.ts';
import { serverEnvironment, startServerProcess } from '../workers/servers/server-process.ts';
import { TEMPORAL_CLI } from '../workers/servers/tools.ts';
import { waitUntil } from '../workers/servers/wait-until.ts';

const START_TIMEOUT_MS = 60_000;

export interface StockServer {
  readonly address: string;
  readonly namespace: string;
  stop(): Promise<void>;
}

export async function startStockServer(log: (line: string) => void): Promise<StockServer> {
  const { env } = process;
  const file = await locateTool(TEMPORAL_CLI, { env, log });
  const folder = mkdtempSync(join(tmpdir(), 'fermata-stock-'));
  const address = `${LOOPBACK}:${await freePort()}`;
  const port = address.slice(LOOPBACK.length + 1);
  const guard = startChildGuard();
  guard.watchFolder(folder);
  const server = await startServerProcess({
    file,
    args: ['server', 'start-dev', `--ip=${LOOPBACK}`, `--port=${port}`, '--headless', '--log-level=error'],
    cwd: folder,
    env: serverEnvironment(env),
    logFile: join(folder, 'temporal.log'),
    stopSignal: 'SIGTERM',
    guard,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    guard.close();
  };
  try {
    await answers(address);
    return { address, namespace: 'default', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answers(address: string): Promise<void> {
  const ready = async (): Promise<true | null> => ((await temporalRefusal({ address }, 1000)) === null ? true : null);
  if ((await waitUntil(ready, { timeoutMs: START_TIMEOUT_MS })) === null) throw new Error('The stock server is silent');
  const connection = await openTemporal({ address });
  await waitForNamespace(connection, 'default', START_TIMEOUT_MS);
  await connection.close();
}
