/** What all measurements stand on: servers, bundles, a database, a client. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { openStore } from '../store/index.ts';
import { workflowBundlePath } from '../workers/bundle.ts';
import { startServers } from '../workers/servers/start-servers.ts';
import { type Peer, startPeer } from './peer.ts';
import type { PeerSettings } from './peer-settings.ts';

export interface Options {
  readonly quick: boolean;
  /** Rounds of each contestant under load, runs in a round, and how many of them at once. */
  readonly rounds: number;
  readonly runs: number;
  readonly inFlight: number;
  /** Runs one at a time. */
  readonly singles: number;
  /** Where worker processes leave CPU profiles. */
  readonly profileDir?: string;
  readonly log: (line: string) => void;
}

export interface Ground {
  readonly options: Options;
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly client: Client;
  readonly databaseUrl: string;
  readonly bundles: { readonly handWritten: string; readonly fermata: string };
  /** A worker on the tuned server with the options that we ship, unless told otherwise. One of each kind lives on. */
  peer(kind: PeerSettings['kind']): Promise<Peer>;
  /** A worker for one measurement only; who starts it stops it. */
  startPeer(kind: PeerSettings['kind'], other: Partial<PeerSettings>): Promise<Peer>;
  stop(): Promise<void>;
}

export async function prepareGround(options: Options): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'fermata-bench-'));
  const projectDir = fileURLToPath(new URL('..', import.meta.url));
  const own = { temporal: 'own', postgres: 'own', persistent: false } as const;
  const servers = await startServers({ ...own, projectDir, env: process.env, log: options.log });
  const { temporal, postgres } = servers;
  await migrate(postgres.url);
  const bundles = { handWritten: await bundlePeers(folder), fermata: await workflowBundlePath() };
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  const start = (kind: PeerSettings['kind'], other: Partial<PeerSettings> = {}): Promise<Peer> =>
    startPeer(
      {
        kind,
        address: temporal.address,
        namespace: temporal.namespace,
        taskQueue: kind,
        bundle: kind === 'hand-written' ? bundles.handWritten : bundles.fermata,
        databaseUrl: postgres.url,
        tuning: 'shipped',
        ...other,
      },
      options.profileDir,
    );
  const peers = new Map<PeerSettings['kind'], Promise<Peer>>();
  return {
    options,
    temporal,
    client,
    databaseUrl: postgres.url,
    bundles,
    peer(kind) {
      const peer = peers.get(kind) ?? start(kind);
      peers.set(kind, peer);
      return peer;
    },
    startPeer: start,
    async stop() {
      await Promise.allSettled([...peers.values()].map(async (peer) => (await peer).stop()));
      await connection.close();
      await servers.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function migrate(databaseUrl: string): Promise<void> {
  const store = openStore({ databaseUrl });
  await store.migrate();
  await store.close();
}

async function bundlePeers(folder: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('peers/workflows.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
  const path = join(folder, 'peers.js');
  await writeFile(path, code);
  return path;
}
