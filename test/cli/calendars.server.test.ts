import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';
import { OFFICE } from '../time/calendars.ts';
import { callCli, folderWith, type Outcome } from './call-cli.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function cli(...argv: string[]): Promise<Outcome> {
  const env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: database.url,
  };
  const cwd = folderWith({ 'office.json': OFFICE, 'closed.json': { ...OFFICE, holidays: ['12-25', '01-01'] } });
  return callCli(['calendars', ...argv], { cwd, env });
}

test('calendars are put as versions, listed and shown', async () => {
  expect((await cli('list')).stderr).toContain('No calendar is stored');
  expect((await cli('put', 'office.json', '--json')).document()).toEqual({ name: 'office', version: 1, created: true });
  expect((await cli('put', 'office.json')).stdout).toContain('office is unchanged: version 1.');
  expect((await cli('put', 'closed.json')).stdout).toContain('office has version 2 now.');
  expect((await cli('list', '--json')).document()).toMatchObject({
    items: [{ name: 'office', version: 2 }],
    cursor: null,
  });
  expect((await cli('list')).stdout).toMatch(/^office {2}2 /m);
  expect((await cli('show', 'office', '--version', '1', '--json')).document()).toMatchObject({ document: OFFICE });
  const { stdout } = await cli('show', 'office');
  expect(stdout).toMatch(/^friday {6}09:00-12:00$/m);
  expect(stdout).toMatch(/^01-01 {7}closed$/m);
});

test('a calendar that is not there is refused by name', async () => {
  const { exit, stderr } = await cli('show', 'nowhere');
  expect(exit).toBe(1);
  expect(stderr).toContain('"nowhere"');
});
