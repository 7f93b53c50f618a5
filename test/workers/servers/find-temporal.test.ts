import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from '@temporalio/client';
import { expect, test } from 'vitest';
import { findTemporal } from '../../../workers/servers/find-temporal.ts';

/** A world in which Temporal answers at some addresses and some ports are open. */
function find(env: Record<string, string>, world: { temporal?: string[]; ports?: number[] } = {}) {
  const asked: ConnectionOptions[] = [];
  const log: string[] = [];
  const found = findTemporal({
    env: { TEMPORAL_CONFIG_FILE: join(tmpdir(), 'no-such-temporal.toml'), ...env },
    log: (line) => log.push(line),
    probes: {
      temporal: async (options) => {
        asked.push(options);
        return world.temporal?.includes(options.address ?? '') ? null : 'connection refused';
      },
      tcp: async (_host, port) => (world.ports?.includes(port) ? null : 'connection refused'),
    },
  });
  return { found, asked, log };
}

test('the server that TEMPORAL_ADDRESS names is used, in the namespace of the environment', async () => {
  const env = { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'crm' };
  const { found, log } = find(env, { temporal: ['temporal.example:7233', '127.0.0.1:7233'], ports: [7233] });
  expect(await found).toMatchObject({ address: 'temporal.example:7233', namespace: 'crm', uiUrl: null });
  expect(log).toEqual(['Using the Temporal server at temporal.example:7233, namespace crm']);
});

test('a server that is named but does not answer stops everything, even when another one runs', async () => {
  const { found } = find(
    { TEMPORAL_ADDRESS: 'temporal.example:7233' },
    { temporal: ['127.0.0.1:7233'], ports: [7233] },
  );
  await expect(found).rejects.toMatchObject({
    code: 'temporal.unavailable',
    message: expect.stringMatching(/temporal\.example:7233, which TEMPORAL_ADDRESS .* names: connection refused/),
  });
});

test('credentials of the environment go with the question', async () => {
  const env = { TEMPORAL_ADDRESS: 'eu.api.temporal.io:7233', TEMPORAL_NAMESPACE: 'crm.a1', TEMPORAL_API_KEY: 'key' };
  const { found, asked } = find(env, { temporal: ['eu.api.temporal.io:7233'] });
  expect(await found).toMatchObject({ uiUrl: 'https://cloud.temporal.io/namespaces/crm.a1' });
  expect(asked).toEqual([expect.objectContaining({ apiKey: 'key', tls: true })]);
});

test('without an address, one that runs at 127.0.0.1:7233 is used, with its Web UI', async () => {
  const { found } = find({}, { temporal: ['127.0.0.1:7233'], ports: [7233, 8233] });
  expect(await found).toMatchObject({
    address: '127.0.0.1:7233',
    namespace: 'default',
    uiUrl: 'http://127.0.0.1:8233',
  });
});

test('something else at 7233 is no Temporal server', async () => {
  expect(await find({}, { ports: [7233] }).found).toBeNull();
});

test('with nothing at 7233 no time is spent on asking for Temporal', async () => {
  const { found, asked } = find({});
  expect(await found).toBeNull();
  expect(asked).toEqual([]);
});

test('settings that cannot be read are refused', async () => {
  const { found } = find({ TEMPORAL_PROFILE: 'missing' });
  await expect(found).rejects.toMatchObject({ code: 'config.invalid' });
});
