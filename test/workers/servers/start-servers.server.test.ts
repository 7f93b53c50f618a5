import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { connectTemporal, temporalNamespace } from '../../setup/temporal.ts';

test('the run has a Temporal server that knows the search attributes', async () => {
  const { connection } = await connectTemporal();
  const answer = await connection.operatorService.listSearchAttributes({ namespace: temporalNamespace() });
  expect(answer.customAttributes).toMatchObject({ FermataState: 2, FermataVersion: 3 });
  await connection.close();
});

test('the run has a PostgreSQL that answers', async () => {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});
