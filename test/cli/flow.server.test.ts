/** The main job through the command line: publish, event, approval, result, against a worker in this process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunDocument } from '../../definitions/index.ts';
import { createWorker, type FermataWorker } from '../../workers/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { callCli, folderWith, type Outcome } from './call-cli.ts';
import { FAILING } from './definitions.ts';
import { greet } from './fixtures/commands.ts';

const GREETING = {
  id: 'greeting',
  trigger: { event: 'guest.arrived', filters: { vip: true } },
  nodes: [
    {
      id: 'agree',
      type: 'approval',
      config: { title: 'Greet ${event.data.name}?', exclude: ['bob'] },
      nextNodeId: 'hello',
    },
    { id: 'hello', type: 'action', config: { command: 'greet', payload: { name: '${event.data.name}' } } },
  ],
};
/** Two people have to agree; its input needs a name. */
const STRICT = {
  id: 'strict',
  trigger: { event: 'strict.asked' },
  input: { type: 'object', required: ['name'] },
  nodes: [{ id: 'agree', type: 'approval', config: { title: 'Both?', quorum: 2 } }],
};
const LISTENING = {
  id: 'listening',
  nodes: [{ id: 'hear', type: 'event', config: { event: 'door.rang', correlate: { 'data.door': '${input.door}' } } }],
};
const WAITING = { id: 'waiting', nodes: [{ id: 'rest', type: 'delay', config: { duration: '2h' } }] };

let database: TestDatabase;
let worker: FermataWorker;
let working: Promise<void>;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: database.url,
    FERMATA_TASK_QUEUE: uniqueName('cli'),
  };
  worker = await createWorker({ commands: [greet], env });
  working = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await working;
  await database.drop();
});

function cli(...argv: string[]): Promise<Outcome> {
  const cwd = folderWith({
    'greeting.json': GREETING,
    'failing.json': FAILING,
    'waiting.json': WAITING,
    'listening.json': LISTENING,
    'strict.json': STRICT,
  });
  return callCli(argv, { cwd, env });
}

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
  }
}

const openTask = (runId: string) =>
  until(async () => {
    const { items } = (await cli('approvals', 'list', '--run', runId, '--json')).document<{
      items: { taskId: string }[];
    }>();
    return items[0]?.taskId ?? null;
  });

describe('fermata against real servers', () => {
  test('publishes files as versions, and the same content only once', async () => {
    const first = await cli('definitions', 'publish', 'greeting.json', '--json');
    expect(first.exit).toBe(0);
    expect(first.document()).toMatchObject({ id: 'greeting', version: 1, created: true, active: true });
    const again = await cli('definitions', 'publish', 'greeting.json', 'waiting.json', '--json');
    expect(again.document()).toMatchObject([
      { version: 1, created: false },
      { id: 'waiting', created: true },
    ]);
    const listed = await cli('definitions', 'list', '--json');
    expect(listed.document()).toMatchObject({
      items: [{ id: 'greeting', enabled: true }, { id: 'waiting' }],
      cursor: null,
    });
    expect((await cli('definitions', 'show', 'greeting')).stdout).toContain('version      1 (active)');
  });

  test('an event starts a run, which a decision lets go on to its end', async () => {
    await cli('definitions', 'publish', 'greeting.json');
    const data = '{ "name": "Ann", "vip": true }';
    const publish = ['events', 'publish', '--type', 'guest.arrived', '--id', 'g1', '--data', data];
    const event = await cli(...publish);
    expect(event.stdout).toBe('event g1\n  ✓ greeting version 1 started greeting/g1\n');
    expect((await cli(...publish)).stdout).toContain('had started greeting/g1');

    const taskId = await openTask('greeting/g1');
    const refused = await cli('approvals', 'decide', taskId, '--outcome', 'approved', '--by', 'bob', '--json');
    expect(refused.exit).toBe(1);
    expect(refused.document()).toMatchObject({ error: { code: 'approval.refused', details: { reason: 'excluded' } } });
    const counted = await cli('approvals', 'decide', taskId, '--outcome', 'approved', '--by', 'cat', '--json');
    expect(counted.document()).toMatchObject({ status: 'counted', settled: 'approved' });

    const result = await cli('runs', 'result', 'greeting/g1');
    expect(result).toMatchObject({ exit: 0, stdout: '{\n  "text": "Hello Ann"\n}\n' });
    const shown = (await cli('runs', 'show', 'greeting/g1', '--json')).document<RunDocument>();
    expect(shown.trace.map(({ nodeId }) => nodeId)).toEqual(['agree', 'hello']);
    const task = await cli('approvals', 'show', taskId);
    expect(task.stdout).toContain('Greet Ann?');
    expect(task.stdout).toMatch(/^cat +approved .* counts/m);
  });

  test('an event that a filter refuses starts nothing, and the answer says why', async () => {
    await cli('definitions', 'publish', 'greeting.json');
    const data = '{ "name": "Bo", "vip": false }';
    const called = await cli('events', 'publish', '--type', 'guest.arrived', '--data', data, '--json');
    expect(called.exit).toBe(0);
    expect(called.document()).toMatchObject({
      runs: [],
      notMatched: [{ definitionId: 'greeting', reason: { path: 'vip' } }],
    });
  });

  test('an event whose start is refused says why and how to go on, with exit 1', async () => {
    await cli('definitions', 'publish', 'strict.json');
    const publish = ['events', 'publish', '--type', 'strict.asked', '--id', 's0', '--data', '{}'];
    const people = await cli(...publish);
    expect(people.exit).toBe(1);
    expect(people.stdout).toMatch(/✗ strict version 1 did not start: INPUT_INVALID: .*name.* \(run\.input_invalid\)/);
    expect(people.stdout).toMatch(/what to do: .*new id.*`fermata runs start strict --input …`/);
    const json = await cli(...publish, '--json');
    expect(json.exit).toBe(1);
    expect(json.document()).toMatchObject({
      created: false,
      runs: [{ runId: null, status: 'refused', error: { code: 'run.input_invalid' } }],
    });
  });

  test('the votes of a quorum are counted by decide, show and list', async () => {
    await cli('definitions', 'publish', 'strict.json');
    await cli('events', 'publish', '--type', 'strict.asked', '--id', 's1', '--data', '{ "name": "x" }');
    const taskId = await openTask('strict/s1');
    const decide = (by: string) => cli('approvals', 'decide', taskId, '--outcome', 'approved', '--by', by);
    expect((await decide('ann')).stdout).toBe(`approved counts for ${taskId} (1 of 2); more decisions are needed.\n`);
    await until(async () =>
      (await cli('approvals', 'show', taskId)).stdout.includes('approved 1 of 2') ? true : null,
    );
    expect((await cli('approvals', 'list', '--run', 'strict/s1')).stdout).toContain('approved 1 of 2');
    expect((await decide('bob')).stdout).toContain('which is now approved');
  });

  test('while Temporal is down, events and decisions are kept with exit 0, and delivered when it is back', async () => {
    await cli('definitions', 'publish', 'strict.json');
    const down = (...argv: string[]) => callCli(argv, { env: { ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' } });
    const publish = ['events', 'publish', '--type', 'strict.asked', '--id', 's2', '--data', '{ "name": "x" }'];
    const people = await down(...publish);
    expect(people.exit).toBe(0);
    expect(people.stdout).toMatch(/… strict version 1 is accepted; strict\/s2 begins later\n.*"s2" is stored/);
    const json = await down(...publish, '--json');
    expect(json.exit).toBe(0);
    expect(json.document()).toMatchObject({ runs: [{ status: 'pending' }], pending: { runs: ['strict/s2'] } });
    expect((await down('runs', 'show', 'strict/s2', '--json')).document()).toMatchObject({ state: 'pending' });
    expect((await cli(...publish, '--json')).document()).toMatchObject({ runs: [{ status: 'started' }] });

    const taskId = await openTask('strict/s2');
    const decide = ['approvals', 'decide', taskId, '--outcome', 'approved', '--by'];
    const stored = await down(...decide, 'ann', '--json');
    expect(stored.exit).toBe(0);
    expect(stored.document()).toMatchObject({ status: 'stored', message: expect.stringContaining('is stored') });
    expect((await down(...decide, 'bob')).stdout).toContain('once Temporal is back');
    const result = await cli('runs', 'result', 'strict/s2', '--timeout', '60s', '--json');
    expect(result.document()).toMatchObject({ state: 'completed', output: { outcome: 'approved' } });
    expect(await down('runs', 'start', 'strict', '--connect-timeout', '300ms', '--json')).toMatchObject({ exit: 1 });
  });

  test('a run that ends failed is printed, with exit 1', async () => {
    await cli('definitions', 'publish', 'failing.json');
    const waited = await cli('runs', 'start', 'failing', '--id', 'f1', '--wait', '--json');
    expect(waited.exit).toBe(1);
    expect(waited.document()).toMatchObject({ runId: 'failing/f1', state: 'failed', error: { type: 'SOLD_OUT' } });
    expect(await cli('runs', 'show', 'failing/f1')).toMatchObject({ exit: 1 });
    expect((await cli('runs', 'list', '--state', 'failed')).stdout).toContain('failing/f1');
  });

  test('watching prints what happens, Ctrl-C ends the waiting only, and a cancelled run ends it with exit 1', async () => {
    await cli('definitions', 'publish', 'waiting.json');
    const started = await cli('runs', 'start', 'waiting', '--by', 'ann', '--json');
    const { runId } = started.document<{ runId: string }>();
    const watching = cli('runs', 'watch', runId);
    const late = await cli('runs', 'result', runId, '--timeout', '300ms', '--json');
    expect(late.document()).toMatchObject({ error: { code: 'run.wait_timeout' } });
    const interrupted = await callCli(['runs', 'result', runId, '--json'], { env, interruption: AbortSignal.abort() });
    expect(interrupted.exit).toBe(130);
    expect(interrupted.document()).toMatchObject({ state: 'running', waiting: [{ nodeId: 'rest' }] });
    expect(await cli('runs', 'cancel', runId, '--reason', 'enough', '--by', 'ann')).toMatchObject({ exit: 0 });
    const { exit, stdout } = await watching;
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^cancelled waiting\//m);
    expect((await cli('runs', 'show', runId)).stdout.match(/^error .*CANCELLED.*CANCELLED/m)).toBeNull();
    const again = await cli('runs', 'cancel', runId, '--json');
    expect(again.document()).toMatchObject({ error: { code: 'run.invalid_transition' } });
  });

  test('explains what an event met: definitions, and runs that wait', async () => {
    await cli('definitions', 'publish', 'listening.json');
    await cli('runs', 'start', 'listening', '--id', 'l1', '--input', '{ "door": "front" }');
    const ring = (id: string, door: string) =>
      cli('events', 'publish', '--type', 'door.rang', '--id', id, '--data', JSON.stringify({ door }));
    await ring('ring-1', 'back');
    const why = 'listening/l1 at hear does not take it: data.door is "back", not "front"';
    const missed = await until(async () => {
      const { stdout } = await cli('events', 'explain', 'ring-1');
      return stdout.includes('listening/l1') ? stdout : null;
    });
    expect(missed).toContain(`  – ${why}`);
    expect((await ring('ring-0', 'back')).stdout).toContain(`  – ${why}`);
    expect((await ring('ring-2', 'front')).stdout).toContain('  ✓ listening/l1 at hear was told of it');
    await cli('runs', 'result', 'listening/l1');
    await until(async () => {
      const { stdout } = await cli('events', 'explain', 'ring-2');
      return stdout.includes('  ✓ listening/l1 at hear took it') ? stdout : null;
    });
    expect((await cli('events', 'explain', 'ring-1', '--run', 'listening/l1')).stdout).toContain(why);
    expect((await cli('events', 'explain', 'ring-2', '--json')).document()).toMatchObject({
      event: { id: 'ring-2', type: 'door.rang' },
      definitions: [],
      waits: [{ runId: 'listening/l1', nodeId: 'hear', status: 'taken' }],
    });
    const unknown = await cli('events', 'explain', 'ring-3', '--json');
    expect(unknown.exit).toBe(1);
    expect(unknown.document()).toMatchObject({ error: { code: 'event.not_found' } });
  });

  test('what does not exist is refused by its id', async () => {
    const run = await cli('runs', 'show', 'greeting/none', '--json');
    expect(run.exit).toBe(1);
    expect(run.document()).toMatchObject({ error: { code: 'run.not_found', details: { runId: 'greeting/none' } } });
    expect((await cli('definitions', 'activate', 'nothing', '1')).stderr).toContain('(definition.not_found)');
    expect((await cli('approvals', 'show', 'greeting/none/agree/1')).stderr).toContain('(approval.not_found)');
  });
});
