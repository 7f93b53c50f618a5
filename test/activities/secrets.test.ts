import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  CommandError,
  type CommandContext,
  defaultSecrets,
  defineCommand,
  environmentSecrets,
  fileSecrets,
} from '../../activities/index.ts';
import type { Json } from '../../definitions/types.ts';
import { failureOf, startAttempt } from './run-attempt.ts';

const env = { FERMATA_SECRET_DB_PASSWORD: 'pw-EXAMPLE-1', FERMATA_SECRET_UPLOAD_TOKEN: 'tok-EXAMPLE-2' };
const secrets = [environmentSecrets(env)];
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fermata-secrets-'));
  await mkdir(join(directory, 'secrets/crm'), { recursive: true });
  await writeFile(join(directory, 'secrets/crm/key'), 'from-a-file\n');
  await writeFile(join(directory, 'outside'), 'not-for-you');
  await symlink(join(directory, 'outside'), join(directory, 'secrets/link'));
  await symlink(join(directory, 'secrets/crm/key'), join(directory, 'secrets/inner'));
});
afterAll(() => rm(directory, { recursive: true }));

function handler(execute: (input: { [key: string]: string }, ctx: CommandContext) => unknown) {
  return defineCommand({ type: 'upload', input: z.record(z.string(), z.string()), output: z.unknown(), execute });
}

describe('a reference to a secret', () => {
  test('is in place before the schema looks, wherever it stands', async () => {
    let seen: unknown;
    const command = defineCommand({
      type: 'upload',
      input: z.object({ auth: z.object({ password: z.string().min(12) }), list: z.array(z.string()) }),
      output: z.null(),
      execute(input) {
        seen = input;
        return null;
      },
    });
    const payload = { auth: { password: { $secret: 'db/password' } }, list: ['a', { $secret: 'upload-token' }] };
    await startAttempt({ handlers: [command], payload, secrets }).done;
    expect(seen).toEqual({ auth: { password: 'pw-EXAMPLE-1' }, list: ['a', 'tok-EXAMPLE-2'] });
  });

  test('that nobody has fails without retry and says where it was looked for', async () => {
    const sources = defaultSecrets({ FERMATA_SECRETS_DIR: directory });
    const failure = await failureOf(
      startAttempt({ handlers: [handler(() => 1)], payload: { k: { $secret: 'crm/api-key' } }, secrets: sources }).done,
    );
    expect(failure).toMatchObject({
      type: 'SECRET_NOT_FOUND',
      nonRetryable: true,
      details: [{ secret: 'crm/api-key' }],
    });
    expect(failure.message).toBe(
      'secret "crm/api-key" is not set as environment variable FERMATA_SECRET_CRM_API_KEY, nor as file crm/api-key below the directory of secrets',
    );
  });

  test.each([
    { $secret: 'a', default: 'b' },
    { $secret: 7 },
    { $secret: '' },
    { $secret: '../outside' },
    { $secret: '/etc/passwd' },
  ])('of the form %j is refused', async (reference) => {
    const failure = await failureOf(
      startAttempt({ handlers: [handler(() => 1)], payload: { k: reference as Json }, secrets }).done,
    );
    expect(failure).toMatchObject({ type: 'SECRET_INVALID', nonRetryable: true });
  });

  test('whose value is too short to be hidden is refused', async () => {
    const short = [environmentSecrets({ FERMATA_SECRET_PIN: '123' })];
    const failure = await failureOf(
      startAttempt({ handlers: [handler(() => 1)], payload: { k: { $secret: 'pin' } }, secrets: short }).done,
    );
    expect(failure).toMatchObject({ type: 'SECRET_INVALID', nonRetryable: true });
    expect(failure.message).not.toContain('123');
  });

  test('in an output that is handed to a rollback stays data', async () => {
    let seen: unknown;
    const command = defineCommand({
      type: 'upload',
      input: z.object({ token: z.string() }),
      output: z.unknown(),
      execute: () => null,
      rollback: (input, output) => {
        seen = { input, output };
      },
    });
    const payload = { input: { token: { $secret: 'upload/token' } }, output: { $secret: 'db/password' } };
    await startAttempt({ handlers: [command], payload, header: { u: 1 }, secrets }).done;
    expect(seen).toEqual({ input: { token: 'tok-EXAMPLE-2' }, output: { $secret: 'db/password' } });
  });
});

describe('data that looks like a reference', () => {
  test('stays data: nobody outside can have a secret sent along', async () => {
    let seen: Json = null;
    const command = defineCommand({
      type: 'upload',
      input: z.json(),
      output: z.null(),
      execute(input) {
        seen = input;
        return null;
      },
    });
    const payload = { fromAnEvent: { $secret: 'db/password' } };
    await startAttempt({ handlers: [command], payload, header: { s: [] }, secrets }).done;
    expect(seen).toEqual(payload);
  });
});

describe('files of secrets', () => {
  const read = (name: string) => fileSecrets(join(directory, 'secrets')).read(name, { tenant: 'default' });

  test('are read without the newline at their end', async () => {
    expect(await read('crm/key')).toBe('from-a-file');
    expect(await read('inner')).toBe('from-a-file');
  });

  test.each(['crm', 'none', 'crm/none', 'crm/key/more', 'link', '../outside', 'crm/../../outside'])(
    'do not give %s',
    async (name) => {
      expect(await read(name)).toBeNull();
    },
  );
});

describe('a resolved secret', () => {
  const told = (attempt: { logs: unknown; heartbeats: unknown; reports: unknown }, ended: unknown) =>
    inspect(
      { ended, logs: attempt.logs, beats: attempt.heartbeats, reports: attempt.reports },
      { depth: 20, maxStringLength: null },
    );
  const spellings = (secret: string) => [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    secret.charAt(0).toUpperCase() + secret.slice(1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret.toUpperCase()).toString('base64').replace(/=+$/, ''),
    Buffer.from(`user:${secret}`).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ];

  test('leaves no spelling in error, stack, details, logs, heartbeats or reports', async () => {
    const loud = handler(({ token = '' }, ctx) => {
      const all = spellings(token);
      ctx.log.info(`sending ${all.join(' ')}`, { token, all, [token]: new Error(token) });
      ctx.heartbeat({ all });
      throw new CommandError('REFUSED', `503 for ${all.join(' ')}`, {
        details: { all },
        cause: new Error(token),
      });
    });
    const attempt = startAttempt({ handlers: [loud], payload: { token: { $secret: 'upload/token' } }, secrets });
    const failure = await failureOf(attempt.done);
    const text = told(attempt, { failure, message: failure.message, stack: failure.stack, details: failure.details });
    for (const spelling of spellings('tok-EXAMPLE-2')) expect(text).not.toContain(spelling);
    expect(failure.message).toContain('503 for ***');
    expect(JSON.stringify(failure.details)).toContain('"***"');
  });

  test('is masked in the output, which would stand in the history, and the log says so', async () => {
    const attempt = startAttempt({
      handlers: [handler(({ token = '' }) => ({ sent: `Bearer ${token}`, n: 1 }))],
      payload: { token: { $secret: 'upload/token' } },
      secrets,
    });
    expect(await attempt.done).toEqual({ sent: 'Bearer ***', n: 1 });
    expect(attempt.logs).toContainEqual(
      expect.objectContaining({ level: 'WARN', message: 'a secret in the output was masked' }),
    );
  });

  test('that the handler asks for itself is hidden too', async () => {
    const asking = handler(async (_, ctx) => {
      throw new Error(`cannot log in with ${await ctx.secret('db/password')}`);
    });
    const failure = await failureOf(startAttempt({ handlers: [asking], payload: {}, secrets }).done);
    expect(failure.message).toBe('cannot log in with ***');
  });

  test('of several lines is hidden line by line, and as JSON writes it', async () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----';
    const sources = [{ describe: () => 'vault', read: async () => key }];
    const loud = handler(async (_, ctx) => {
      await ctx.secret('pem');
      throw new Error(`bad line MIIEvQIBADANBg in ${JSON.stringify({ key })}`);
    });
    const failure = await failureOf(startAttempt({ handlers: [loud], payload: {}, secrets: sources }).done);
    expect(failure.message).toBe('bad line *** in {"key":"***"}');
  });

  test('at the place where a message is cut leaves no part of itself', async () => {
    const loud = handler(({ token = '' }) => {
      throw new Error('x'.repeat(4088) + token);
    });
    const failure = await failureOf(
      startAttempt({ handlers: [loud], payload: { token: { $secret: 'upload/token' } }, secrets }).done,
    );
    expect(failure.message).toBe(`${'x'.repeat(4088)}***`);
  });

  test('comes from a source that is told the tenant', async () => {
    const sources = [
      { describe: () => 'vault', read: async (name: string, { tenant }: { tenant: string }) => `${tenant}:${name}` },
    ];
    let seen: unknown;
    const command = handler(async (_, ctx) => {
      seen = await ctx.secret('crm/key');
    });
    await startAttempt({
      handlers: [command],
      payload: {},
      secrets: sources,
      info: { workflowExecution: { workflowId: 'acme/lead-onboarding/1', runId: 'r' } },
    }).done;
    expect(seen).toBe('acme:crm/key');
  });
});
