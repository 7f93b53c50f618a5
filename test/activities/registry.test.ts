import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { adaptHandler, createManifest, createRegistry, defineCommand } from '../../activities/index.ts';
import { isFermataError } from '../../definitions/fermata-error.ts';

const command = (type: string, version?: number) =>
  defineCommand({
    type,
    ...(version === undefined ? {} : { version }),
    input: z.object({ leadId: z.string(), team: z.string().default('sales') }),
    output: z.object({ ownerId: z.string() }),
    execute: () => ({ ownerId: 'o' }),
  });

class MailHandler {
  canHandle(type: string): boolean {
    return type.startsWith('mail.');
  }
  execute() {
    return { success: true };
  }
}

const refusal = (body: () => unknown): string => {
  try {
    body();
  } catch (error) {
    if (isFermataError(error) && error.code === 'handler.invalid') return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('a registry', () => {
  test('holds versions side by side and finds each by type and version', () => {
    const registry = createRegistry([command('b', 2), command('b', 10), command('a')]);
    expect(registry.types).toEqual(['a', 'b']);
    expect(registry.versions('b')).toEqual([2, 10]);
    expect(registry.find('b', 2)).not.toBe(registry.find('b', 10));
    expect(registry.find('b', 1)).toBeNull();
    expect(registry.find('toString', 1)).toBeNull();
  });

  test('refuses a second handler of the same type and version', () => {
    expect(refusal(() => createRegistry([command('a'), command('a')]))).toBe(
      'command "a" version 1 is registered twice; give the new one another version',
    );
    const adapted = adaptHandler(new MailHandler(), { types: ['mail.send'] });
    expect(refusal(() => createRegistry([command('mail.send'), adapted]))).toContain('registered twice');
  });

  test.each([null, undefined, MailHandler, new MailHandler(), { commands: [] }])(
    'refuses %o, saying how to make one',
    (entry) => {
      expect(refusal(() => createRegistry([command('a'), entry as never]))).toBe(
        'entry 1 of the commands is no handler; make it with defineCommand, or with adaptHandler from an instance of a class',
      );
    },
  );

  test('asks class handlers last, for any version, and refuses two that answer', () => {
    const registry = createRegistry([adaptHandler(new MailHandler()), command('mail.send')]);
    const declared = registry.find('mail.send', 1);
    expect(registry.find('mail.send', 2)).not.toBe(declared);
    expect(registry.find('mail.other', 7)).not.toBeNull();
    const twice = createRegistry([adaptHandler(new MailHandler()), adaptHandler(new MailHandler())]);
    expect(refusal(() => twice.find('mail.send', 1))).toBe('two class handlers answer to the command "mail.send"');
  });
});

describe('a manifest', () => {
  test('tells type, versions, schemas of both sides, policies and whether there is a rollback', () => {
    const full = defineCommand({
      ...command('assign_lead', 2),
      retry: { maxAttempts: 5 },
      timeout: '30s',
      heartbeat: '5s',
      rollback: () => {},
    });
    const mail = adaptHandler(new MailHandler(), { types: ['mail.send'], timeout: '1m' });
    const manifest = createManifest(createRegistry([mail, full, command('assign_lead')]));
    expect(Object.keys(manifest)).toEqual(['assign_lead', 'mail.send']);
    expect(manifest['assign_lead']?.['2']).toMatchObject({
      inputSchema: { type: 'object', required: ['leadId'] },
      outputSchema: { type: 'object', required: ['ownerId'] },
      retry: { maxAttempts: 5 },
      timeout: '30s',
      heartbeat: '5s',
      hasRollback: true,
    });
    expect(manifest['assign_lead']?.['1']).toMatchObject({ hasRollback: false });
    expect(manifest['mail.send']).toEqual({ '1': { timeout: '1m', hasRollback: false } });
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
  });

  test('leaves open what JSON Schema cannot say', () => {
    const dated = defineCommand({
      type: 'dated',
      input: z.object({ at: z.coerce.date(), n: z.string().transform(Number) }),
      output: z.void(),
      execute: () => {},
    });
    expect(createManifest(createRegistry([dated]))['dated']?.['1']).toMatchObject({
      inputSchema: { type: 'object', properties: { at: {}, n: { type: 'string' } } },
    });
  });
});

describe('a declaration', () => {
  test('is frozen, and of version 1 unless it says otherwise', () => {
    expect(command('a').version).toBe(1);
    expect(Object.isFrozen(command('a', 3))).toBe(true);
  });

  test.each([
    ['a type with a space', { type: 'send mail' }, 'the type must begin with a letter'],
    ['no type', { type: undefined }, 'the type must begin with a letter'],
    ['version 0', { version: 0 }, 'the version must be a whole number from 1, not 0'],
    ['an odd timeout', { timeout: '1h2h' }, '`timeout`: "1h2h" is no duration'],
    ['an empty timeout', { heartbeat: '0s' }, '`heartbeat` must be longer than nothing'],
    ['no attempts', { retry: { maxAttempts: 0 } }, '`retry.maxAttempts` is 0, outside its range from 1'],
    ['half an attempt', { retry: { maxAttempts: 1.5 } }, '`retry.maxAttempts` is 1.5'],
    ['a shrinking backoff', { retry: { backoffCoefficient: 0.5 } }, '`retry.backoffCoefficient` is 0.5'],
    ['jitter over 1', { retry: { jitter: 2 } }, '`retry.jitter` is 2, outside its range from 0 to 1'],
    ['an odd interval', { retry: { maxInterval: 'soon' } }, '`retry.maxInterval`: "soon" is no duration'],
    [
      'an odd error type',
      { retry: { nonRetryable: ['oops'] } },
      '`retry.nonRetryable` has "oops", which is not UPPER_SNAKE',
    ],
    ['a schema that is none', { input: {} }, '`input` is no zod schema'],
    ['no execute', { execute: undefined }, '`execute` is no function'],
    ['a rollback that is none', { rollback: true }, '`rollback` is no function'],
  ])('with %s is refused when it is made', (_, change, told) => {
    expect(refusal(() => defineCommand({ ...command('a'), ...(change as object) }))).toContain(told);
  });
});
