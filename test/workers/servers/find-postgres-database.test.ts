import { expect, test } from 'vitest';
import { findPostgresDatabase } from '../../../workers/servers/find-postgres-database.ts';

function find(url: string | undefined, refusal: string | null = null) {
  const asked: [string, number][] = [];
  const log: string[] = [];
  const found = findPostgresDatabase({
    env: { DATABASE_URL: url },
    log: (line) => log.push(line),
    refusal: async (host, port) => {
      asked.push([host, port]);
      return refusal;
    },
  });
  return { found, asked, log };
}

test('without DATABASE_URL there is none', async () => {
  expect(await find(undefined).found).toBeNull();
  expect(await find('').found).toBeNull();
});

test('the database of DATABASE_URL is used when its server answers, and its password is not shown', async () => {
  const { found, asked, log } = find('postgresql://app:secret@db.example/app');
  expect(await found).toBe('postgresql://app:secret@db.example/app');
  expect(asked).toEqual([['db.example', 5432]]);
  expect(log.join()).not.toContain('secret');
});

test('an IPv6 address is asked without its brackets', async () => {
  const { found, asked } = find('postgresql://[::1]:6000/app');
  await found;
  expect(asked).toEqual([['::1', 6000]]);
});

test('a server that does not answer stops everything, and the message holds no password', async () => {
  const { found } = find('postgresql://app:secret@db.example:6000/app', 'connection refused');
  const error = await found.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'store.unavailable' });
  expect((error as Error).message).toContain('db.example:6000, which DATABASE_URL names: connection refused');
  expect((error as Error).message).not.toContain('secret');
});

test('a socket file is left to the driver', async () => {
  const { found, asked } = find('postgresql:///app?host=/run/postgresql');
  expect(await found).toBe('postgresql:///app?host=/run/postgresql');
  expect(asked).toEqual([]);
});

test.each(['host=db password=secret', 'app:secret', 'mysql://app:secret@db/app'])(
  'what is no URL of PostgreSQL is refused without being repeated',
  async (url) => {
    const error = await find(url).found.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'config.invalid' });
    expect((error as Error).message).not.toContain('secret');
  },
);
