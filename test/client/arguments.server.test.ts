/** Wrong arguments at every door of the client: refused by name before PostgreSQL or Temporal is asked. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Fermata } from '../../client/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

let database: TestDatabase;
let fermata: Fermata;

beforeAll(async () => {
  database = await createTestDatabase();
  // Nobody listens there, and nobody is to be asked.
  const temporal = { address: '127.0.0.1:1' };
  fermata = await connect({ temporal, databaseUrl: database.url, env: {}, requireTemporal: false });
});
afterAll(async () => {
  await fermata.close();
  await database.drop();
});

const NUL = 'a\u0000b';
/** As JavaScript calls it, without types. */
type Untyped = (...args: unknown[]) => Promise<unknown>;

it.each<[door: string, args: unknown[], field: string, shown: string]>([
  ['runs.start', [NUL], 'definitionId', '"a\\u0000b"'],
  ['runs.start', ['x', { version: 1.5 }], 'version', '1.5'],
  ['runs.start', ['x', { version: '2' }], 'version', '"2"'],
  ['runs.start', ['x', { version: 2 ** 31 }], 'version', '2147483648'],
  ['runs.start', ['x', { id: NUL }], 'id', '"a\\u0000b"'],
  ['runs.start', ['x', { id: 'é'.repeat(128) }], 'id', `"${'é'.repeat(78)}…`],
  ['runs.start', ['x', { initiator: { id: 'ann', kind: 'boss' } }], 'initiator', 'an object'],
  ['runs.start', ['x', { verison: 2 }], 'verison', 'unknown'],
  ['runs.get', [NUL], 'runId', '"a\\u0000b"'],
  ['runs.get', [undefined], 'runId', 'undefined'],
  ['runs.list', [{ limit: Number.NaN }], 'limit', 'NaN'],
  ['runs.list', [{ limit: 0 }], 'limit', '0'],
  ['runs.list', [{ state: 'asleep' }], 'state', '"asleep"'],
  ['runs.list', [{ definitionId: NUL }], 'definitionId', '"a\\u0000b"'],
  ['runs.list', [{ entity: { type: NUL } }], 'entity', 'an object'],
  ['runs.list', [{ cursor: 7 }], 'cursor', '7'],
  ['runs.list', [7], 'options', '7'],
  ['runs.show', [7], 'runId', '7'],
  ['runs.result', ['x/1', { timeoutMs: Number.NaN }], 'timeoutMs', 'NaN'],
  ['runs.cancel', ['x/1', { reason: NUL }], 'reason', '"a\\u0000b"'],
  ['events.explain', [NUL], 'eventId', '"a\\u0000b"'],
  ['events.explain', ['e1', { runId: NUL }], 'runId', '"a\\u0000b"'],
  ['events.explain', ['e1', { limit: 1.5 }], 'limit', '1.5'],
  ['events.explain', ['e1', { runID: 'x/1' }], 'runID', 'unknown'],
  ['calendars.get', [NUL], 'name', '"a\\u0000b"'],
  ['calendars.list', [{ after: NUL }], 'after', '"a\\u0000b"'],
  ['definitions.list', [{ limit: Infinity }], 'limit', 'Infinity'],
  ['definitions.list', [{ after: NUL }], 'after', '"a\\u0000b"'],
  ['definitions.show', ['x', 1.5], 'version', '1.5'],
  ['definitions.show', [NUL], 'id', '"a\\u0000b"'],
  ['definitions.versions', [NUL], 'id', '"a\\u0000b"'],
  ['definitions.activate', ['x', -1], 'version', '-1'],
  ['definitions.enable', [''], 'id', '""'],
  ['definitions.disable', [null], 'id', 'null'],
  ['definitions.publish', [{}, { activate: 'no' }], 'activate', '"no"'],
  ['approvals.list', [{ limit: -5 }], 'limit', '-5'],
  ['approvals.list', [{ role: ['cfo', NUL] }], 'role', 'a list'],
  ['approvals.list', [{ queue: NUL }], 'queue', '"a\\u0000b"'],
  ['approvals.show', [NUL], 'taskId', '"a\\u0000b"'],
  ['approvals.decide', [NUL, {}], 'taskId', '"a\\u0000b"'],
  ['approvals.decide', ['x/1/ok/1', {}, { id: NUL }], 'id', '"a\\u0000b"'],
  ['approvals.decide', ['x/1/ok/1', {}, { timeoutMs: -1 }], 'timeoutMs', '-1'],
])('%s%j is refused, naming %s and what it was', async (door, args, field, shown) => {
  const [part, verb] = door.split('.') as [keyof Fermata, string];
  const doors = fermata[part] as unknown as Record<string, Untyped>;
  const refused = await doors[verb]?.(...args).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(`${door}: ${field} is ${shown}`),
    details: { door, field },
  });
});

it('watching is refused at the call, not at the first look', () => {
  expect(() => fermata.runs.watch(NUL)).toThrow('runs.watch: runId is "a\\u0000b"');
  expect(() => fermata.runs.watch('x/1', { everyMs: Number.NaN })).toThrow('runs.watch: everyMs is NaN');
});
