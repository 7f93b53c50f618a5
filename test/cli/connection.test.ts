import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveServers } from '../../cli/connection.ts';
import { identify } from '../../workers/servers/process-identity.ts';
import { publishServers } from '../../workers/servers/servers-record.ts';
import { folderWith } from './call-cli.ts';

/** A project whose `fermata dev` is this process. */
async function projectWithDev(): Promise<string> {
  const project = folderWith({});
  mkdirSync(join(project, '.fermata'));
  mkdirSync(join(project, 'flows'));
  const process = await identify(globalThis.process.pid);
  await publishServers(join(project, '.fermata'), {
    temporal: { address: '127.0.0.1:4001', namespace: 'mine', uiUrl: null, process },
    postgres: { url: 'postgres://dev@127.0.0.1:4002/dev', process },
  });
  return project;
}

describe('servers of a call', () => {
  test('are those of a `fermata dev` that runs in this folder or above it', async () => {
    const cwd = join(await projectWithDev(), 'flows');
    expect(await resolveServers({ env: {}, cwd }, {})).toMatchObject({
      temporal: { address: '127.0.0.1:4001', namespace: 'mine' },
      databaseUrl: 'postgres://dev@127.0.0.1:4002/dev',
    });
  });

  test('are rather those of the environment, which the client reads', async () => {
    const cwd = await projectWithDev();
    const env = { TEMPORAL_ADDRESS: 'temporal:7233', DATABASE_URL: 'postgres://env/db' };
    const resolved = await resolveServers({ env, cwd }, {});
    expect(resolved).toMatchObject({ env, databaseUrl: 'postgres://env/db', temporal: {} });
    expect(resolved.temporal).not.toHaveProperty('address');
  });

  test('are before all those of the options', async () => {
    const cwd = await projectWithDev();
    const env = { TEMPORAL_ADDRESS: 'temporal:7233', DATABASE_URL: 'postgres://env/db' };
    const options = { temporal: 'other:7233', database: 'postgres://option/db', tenant: 'acme', taskQueue: 'blue' };
    expect(await resolveServers({ env, cwd }, options)).toMatchObject({
      temporal: { address: 'other:7233' },
      databaseUrl: 'postgres://option/db',
      tenant: 'acme',
      taskQueue: 'blue',
    });
  });
});
