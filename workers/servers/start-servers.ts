/**
 * Brings up what a project needs to run: a Temporal server and PostgreSQL, found or started.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChildGuard } from './child-guard.ts';
import type { Environment } from './environment.ts';
import { locateTool } from './locate-tool.ts';
import type { Log } from './log.ts';
import { startPostgresServer } from './postgres-server.ts';
import { startTemporalServer } from './temporal-server.ts';
import { TEMPORAL_CLI } from './tools.ts';

export interface StartServersOptions {
  readonly projectDir: string;
  readonly env: Environment;
  readonly log: Log;
  readonly temporal?: 'auto' | 'own';
  readonly postgres?: 'auto' | 'own';
  readonly persistent: boolean;
}

export interface Servers {
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly uiUrl: string | null;
    readonly started: boolean;
  };
  readonly postgres: { readonly url: string; readonly started: boolean };
  stop(): Promise<void>;
}

export async function startServers(options: StartServersOptions): Promise<Servers> {
  const { env, log } = options;
  const folder = mkdtempSync(join(tmpdir(), 'fermata-'));
  const guard = startChildGuard();
  guard.watchFolder(folder);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(stops.map((one) => one()));
    rmSync(folder, { recursive: true, force: true });
    guard.close();
  };
  try {
    const { chmodSync } = await import('node:fs');
    chmodSync(folder, 0o755);
    const [temporal, postgres] = await Promise.all([
      locateTool(TEMPORAL_CLI, { env, log }).then(async (executable) => {
        const server = await startTemporalServer({
          executable,
          namespace: 'default',
          folder,
          persistent: false,
          ui: false,
          env,
          log,
          guard,
        });
        stops.push(server.stop);
        return server;
      }),
      startPostgresServer({ folder, persistent: false, env, log, guard }).then((server) => {
        stops.push(server.stop);
        return server;
      }),
    ]);
    return {
      temporal: { address: temporal.address, namespace: temporal.namespace, uiUrl: temporal.uiUrl, started: true },
      postgres: { url: postgres.url, started: true },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
void mkdirSync;
