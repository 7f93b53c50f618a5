/** The buffer between workers and PostgreSQL, with a store that refuses. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FermataError } from '../../definitions/fermata-error.ts';
import type { RecordBatch } from '../../store/index.ts';
import { Projection } from '../../workers/projection.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('records that the store refuses hold up those of no other run, and are given up in the end', async () => {
  const { projection, written, warnings } = projectionOver((batch) => batch.runId === 'bad');
  for (const runId of ['good', 'bad', 'other']) tell(projection, runId);
  await vi.advanceTimersByTimeAsync(100);
  expect(written).toEqual(['good', 'other']);
  tell(projection, 'later');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual(['good', 'other', 'later']);
  expect(warnings.at(-1)).toMatchObject({ runId: 'bad' });
  const before = warnings.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(warnings.length).toBe(before);
});

test('while the store cannot be reached everything is kept', async () => {
  let down = true;
  const { projection, written } = projectionOver(() => {
    if (down) throw new FermataError('store.unavailable', 'down', null);
    return false;
  });
  tell(projection, 'a');
  tell(projection, 'b');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(written).toEqual([]);
  down = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(written).toEqual(['a', 'b']);
});

function projectionOver(refuses: (batch: RecordBatch) => boolean) {
  const written: string[] = [];
  const warnings: object[] = [];
  const store = {
    async write(batches: readonly RecordBatch[]) {
      if (batches.some(refuses)) throw new RangeError('a row that cannot be written');
      written.push(...batches.map(({ runId }) => runId));
    },
    async writeAttempts() {},
  };
  const warn = (_: string, fields: object = {}) => void warnings.push(fields);
  return { projection: new Projection(store, { debug() {}, info() {}, warn, error: warn }), written, warnings };
}

function tell(projection: Projection, runId: string): void {
  const of = { tenant: 'default', runId, definitionId: 'd', version: 1 };
  void projection.sinks.fermata?.records.fn({} as never, [], of);
}
