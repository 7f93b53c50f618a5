/** Keys of runs when many arrive at once, and when processes are killed between any two steps. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Definition, KeyPolicy } from '../../definitions/types.ts';
import { openStage, type Stage } from '../cases/stage.ts';
import { expectOneAtATime, gated, open, spansOf, until } from '../client/keyed.ts';
import { Random } from '../definitions/random.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { startProcess, startWorkerProcess, type TestProcess } from '../setup/worker-process.ts';
import { type Answer, GATE, type Start } from './key-starts.ts';

let stage: Stage;
let database: pg.Client;
beforeAll(async () => {
  stage = await openStage({ worker: false });
  database = new pg.Client({ connectionString: stage.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await stage.close();
});

type Door = Start['door'];
const DOORS: readonly Door[] = ['start', 'event'];
const POLICIES: readonly KeyPolicy[] = ['reject', 'join', 'queue', 'replace'];

const where = (): { readonly [name: string]: string } => ({
  TEMPORAL_ADDRESS: temporalAddress(),
  TEMPORAL_NAMESPACE: temporalNamespace(),
  DATABASE_URL: stage.databaseUrl,
  FERMATA_TASK_QUEUE: stage.taskQueue,
});

function starter(starts: readonly Start[], stop = ''): Promise<TestProcess> {
  return startProcess(new URL('./key-main.ts', import.meta.url), {
    ...where(),
    FERMATA_TEST_STARTS: JSON.stringify(starts),
    FERMATA_TEST_STOP: stop,
  });
}

/** Ten starts of each from each of two processes, all at one instant. */
async function startAtOnce(definitions: readonly Omit<Start, 'id'>[]): Promise<readonly Answer[]> {
  await database.query('select pg_advisory_lock($1)', [GATE]);
  const startsOf = (name: string): readonly Start[] =>
    definitions.flatMap((one) =>
      Array.from({ length: 10 }, (_, index) => ({ ...one, id: `${one.definitionId}-${name}-${index}` })),
    );
  const processes = await Promise.all(['a', 'b'].map((name) => starter(startsOf(name))));
  await Promise.all(processes.map((one) => one.says('ready')));
  await database.query('select pg_advisory_unlock($1)', [GATE]);
  await Promise.all(processes.map((one) => one.exited));
  return processes.flatMap((one) => JSON.parse(one.output().split('answers\n')[1] ?? '[]') as Answer[]);
}

async function publish(door: Door, onConflict: KeyPolicy, more: Partial<Definition> = {}): Promise<string> {
  const id = uniqueName(`${onConflict}-${door}`);
  await stage.fermata.definitions.publish(gated(id, onConflict, { trigger: { event: id }, ...more }));
  return id;
}

/** Run ids of a definition in the order in which they were let in. */
async function inOrder(definitionId: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    'select run_id from fermata.runs where definition_id = $1 order by created_at',
    [definitionId],
  );
  return rows.map((row) => row.run_id);
}

function counts(answers: readonly Answer[]): { readonly [status: string]: number } {
  const found: { [status: string]: number } = {};
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
  return found;
}

/** One step, which the ledger keeps. */
const noted: Partial<Definition> = {
  nodes: [{ id: 'note', type: 'action', config: { command: 'ledger', payload: { name: '${input.station}' } } }],
};

describe('twenty at the same instant with one key, from two processes', () => {
  const definitions = new Map<string, string>();
  let answers: readonly Answer[];
  const of = (door: Door, policy: KeyPolicy) => definitions.get(`${door} ${policy}`) as string;
  const told = (definitionId: string) => answers.filter((answer) => answer.definitionId === definitionId);

  beforeAll(async () => {
    const wanted = DOORS.flatMap((door) => POLICIES.map((policy) => ({ door, policy })));
    for (const { door, policy } of wanted) {
      definitions.set(`${door} ${policy}`, await publish(door, policy, policy === 'queue' ? noted : {}));
    }
    answers = await startAtOnce(wanted.map(({ door, policy }) => ({ door, definitionId: of(door, policy) })));
    await stage.startWorker();
  }, 120_000);
  afterAll(() => stage.stopWorker());

  test.each(DOORS)('by %s, "reject": one begins, and the others are told which', async (door) => {
    const definitionId = of(door, 'reject');
    expect(counts(told(definitionId))).toEqual({ started: 1, refused: 19 });
    expect(new Set(told(definitionId).map(({ runId }) => runId))).toEqual(new Set(await inOrder(definitionId)));
  });

  test.each(DOORS)('by %s, "join": one begins, and all have that one', async (door) => {
    const definitionId = of(door, 'join');
    expect(counts(told(definitionId))).toEqual({ started: 1, joined: 19 });
    expect(new Set(told(definitionId).map(({ runId }) => runId))).toEqual(new Set(await inOrder(definitionId)));
  });

  test.each(DOORS)(
    'by %s, "queue": all complete, one at a time, in the order in which they came',
    async (door) => {
      const definitionId = of(door, 'queue');
      expect(counts(told(definitionId))).toEqual({ started: 1, queued: 19 });
      const order = await inOrder(definitionId);
      await allEnd(order, 'completed');
      const spans = await spansOf(stage.client, order);
      expectOneAtATime(spans);
      expect(spans.map(({ runId }) => runId)).toEqual(order);
    },
    180_000,
  );

  test.each(DOORS)(
    'by %s, "replace": the last one stays, and all others are cancelled',
    async (door) => {
      const definitionId = of(door, 'replace');
      expect(counts(told(definitionId))).toEqual({ started: 1, queued: 19 });
      const order = await inOrder(definitionId);
      const last = order.at(-1) as string;
      await until(stage.fermata, last, 'running');
      await open(stage.fermata, last);
      await until(stage.fermata, last, 'completed');
      await allEnd(order.slice(0, -1), 'cancelled');
      expectOneAtATime(await spansOf(stage.client, [order[0] as string, last]));
    },
    180_000,
  );
});

async function allEnd(runIds: readonly string[], state: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await database.query<{ run_id: string; state: string }>(
        'select run_id, state from fermata.runs where run_id = any($1) and state <> $2',
        [runIds, state],
      );
      expect(rows).toEqual([]);
    },
    { timeout: 120_000, interval: 200 },
  );
}

test('a queue of 50 runs whose worker is killed again and again completes in order, never two at once', async () => {
  const step = (id: string, nextNodeId?: string) =>
    ({
      id,
      type: 'action',
      config: { command: 'ledger', payload: { name: id }, timeout: '3s', retry: { maxAttempts: 100 } },
      ...(nextNodeId === undefined ? {} : { nextNodeId }),
    }) as const;
  const definitionId = await publish('start', 'queue', { nodes: [step('one', 'two'), step('two')] });
  const runIds: string[] = [];
  for (let index = 0; index < 50; index++) {
    runIds.push((await stage.fermata.runs.start(definitionId, { input: { station: 'S-1' } })).id);
  }
  const seed = Date.now() % 1_000_000;
  const random = new Random(seed);
  console.info(`a queue whose workers are killed, seed ${seed}`);
  let worker = await startWorkerProcess(where());
  for (const effects of [10, 40, 70]) {
    await vi.waitFor(async () => expect(await effectsOf(definitionId)).toBeGreaterThan(effects), {
      timeout: 120_000,
      interval: 20,
    });
    await pause(random.below(400));
    await worker.kill();
    worker = await startWorkerProcess(where());
  }
  await allEnd(runIds, 'completed');
  await worker.kill('SIGTERM');
  const spans = await spansOf(stage.client, runIds);
  expectOneAtATime(spans);
  expect(spans.map(({ runId }) => runId)).toEqual(runIds);
  const { rows } = await database.query<{ key: string }>(
    `select key from ledger where starts_with(key, $1) order by at`,
    [`${definitionId}/`],
  );
  expect(rows.map(({ key }) => key)).toEqual(runIds.flatMap((runId) => [`${runId}/one/1`, `${runId}/two/1`]));
}, 300_000);

async function effectsOf(definitionId: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*)::int as n from ledger where starts_with(key, $1)',
    [`${definitionId}/`],
  );
  return rows[0]?.n ?? 0;
}

test.each(['before', 'after'])(
  'a process that is killed %s the start in Temporal: its run and the next one complete, by both doors',
  async (stop) => {
    const orders = await Promise.all(
      DOORS.map(async (door) => {
        const definitionId = await publish(door, 'queue', noted);
        const process = await starter([{ door, definitionId, id: `${definitionId}-first` }], stop);
        await process.says('stopped');
        await process.kill();
        const next = await stage.fermata.runs.start(definitionId, { input: { station: 'S-1' } });
        expect(next.status).toBe('queued');
        return [`${definitionId}/${definitionId}-first`, next.id];
      }),
    );
    // As time does.
    await database.query('update fermata.run_keys set look_at = clock_timestamp() where look_at is not null');
    await stage.startWorker();
    await allEnd(orders.flat(), 'completed');
    await stage.stopWorker();
    for (const order of orders) {
      const spans = await spansOf(stage.client, order);
      expectOneAtATime(spans);
      expect(spans.map(({ runId }) => runId)).toEqual(order);
    }
  },
  120_000,
);
