import { describe, expect, it } from 'vitest';
import { type ConnectOptions, resolveSettings } from '../../client/settings.ts';

const DATABASE_URL = 'postgres://u:p@db:5432/app';

function refusal(options: ConnectOptions): { code: string; message: string } {
  try {
    resolveSettings(options);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('nothing was refused');
}

describe('settings', () => {
  it('need nothing but a database', () => {
    expect(resolveSettings({ env: { DATABASE_URL } })).toEqual({
      temporal: { address: '127.0.0.1:7233', namespace: 'default', connection: {} },
      databaseUrl: DATABASE_URL,
      tenant: 'default',
      taskQueue: 'fermata',
      values: { store: null, thresholdBytes: 64 * 1024, maxBytes: 16 * 1024 * 1024 },
    });
  });

  it('come from the environment', () => {
    const env = {
      DATABASE_URL,
      TEMPORAL_ADDRESS: 'cluster:7233',
      TEMPORAL_NAMESPACE: 'prod',
      TEMPORAL_API_KEY: 'secret',
      FERMATA_TENANT: 'acme',
      FERMATA_TASK_QUEUE: 'acme-runs',
    };
    expect(resolveSettings({ env })).toMatchObject({
      temporal: { address: 'cluster:7233', namespace: 'prod', connection: { apiKey: 'secret' } },
      tenant: 'acme',
      taskQueue: 'acme-runs',
    });
  });

  it('come from the options first', () => {
    const env = { DATABASE_URL, TEMPORAL_ADDRESS: 'cluster:7233', FERMATA_TENANT: 'acme' };
    const options = {
      temporal: { address: 'other:1', namespace: 'n', tls: true },
      databaseUrl: 'postgres://x/y',
      tenant: 't',
    };
    expect(resolveSettings({ ...options, env })).toMatchObject({
      temporal: { address: 'other:1', namespace: 'n', connection: { tls: true } },
      databaseUrl: 'postgres://x/y',
      tenant: 't',
    });
  });

  it('take empty variables for unset ones', () => {
    expect(resolveSettings({ env: { DATABASE_URL, FERMATA_TENANT: '', FERMATA_TASK_QUEUE: '' } })).toMatchObject({
      tenant: 'default',
      taskQueue: 'fermata',
    });
  });

  it('take the time to connect as milliseconds or as a duration', () => {
    const env = { DATABASE_URL, FERMATA_CONNECT_TIMEOUT: '1m' };
    expect(resolveSettings({ env }).connectTimeoutMs).toBe(60_000);
    expect(resolveSettings({ env, connectTimeoutMs: 50 }).connectTimeoutMs).toBe(50);
  });

  it.each([
    ['a time to connect that is none', { env: { DATABASE_URL, FERMATA_CONNECT_TIMEOUT: 'soon' } }, 'CONNECT_TIMEOUT'],
    ['no time to connect', { connectTimeoutMs: Number.NaN, env: { DATABASE_URL } }, 'connect is NaN'],
    ['half a connection', { maxDatabaseConnections: 1.5, env: { DATABASE_URL } }, 'maxDatabaseConnections is 1.5'],
    ['no database', { env: {} }, 'DATABASE_URL'],
    ['a tenant that would be a path', { tenant: 'a/b', env: { DATABASE_URL } }, 'FERMATA_TENANT'],
    ['a long tenant', { tenant: 'x'.repeat(64), env: { DATABASE_URL } }, 'FERMATA_TENANT'],
    ['a task queue with a space', { taskQueue: 'a b', env: { DATABASE_URL } }, 'FERMATA_TASK_QUEUE'],
    ['an address that is a URL', { env: { DATABASE_URL, TEMPORAL_ADDRESS: 'http://x/y' } }, 'TEMPORAL_ADDRESS'],
  ])('are refused with %s, naming the variable', (_what, options, variable) => {
    const { code, message } = refusal(options);
    expect(code).toBe('config.invalid');
    expect(message).toContain(variable);
  });
});
