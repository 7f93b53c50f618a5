/** `fermata dev` as a process, with the servers of the tests. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, uniqueName } from '../setup/temporal.ts';
import { callCli, folderWith, spawnCli } from './call-cli.ts';

const GREETING = {
  id: 'greeting',
  nodes: [{ id: 'hello', type: 'action', config: { command: 'greet', payload: { name: '${input.name}' } } }],
};
const COMMANDS = fileURLToPath(new URL('fixtures/commands.ts', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

test('starts a worker with the given handlers, publishes files as they change, and ends with exit 0 on Ctrl-C', async () => {
  const cwd = folderWith({ 'greeting.json': GREETING });
  const env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    DATABASE_URL: database.url,
    FERMATA_TASK_QUEUE: uniqueName('dev'),
  };
  const child = spawnCli(['dev', '--json', '--commands', COMMANDS, '--definitions', 'greeting.json'], { cwd, env });
  child.stdin.end();
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const out = new Written(child.stdout);
  const err = new Written(child.stderr);
  try {
    await out.has('\n}\n');
    expect(JSON.parse(out.text)).toMatchObject({
      temporal: { address: temporalAddress() },
      worker: { taskQueue: env.FERMATA_TASK_QUEUE, commands: ['greet', 'refund'] },
      definitions: [{ id: 'greeting', version: 1, created: true }],
    });
    const run = await callCli(['runs', 'start', 'greeting', '--input', '{"name":"Ann"}', '--wait', '--json'], { env });
    expect(run.document()).toMatchObject({ state: 'completed', output: { text: 'Hello Ann' } });

    writeFileSync(join(cwd, 'greeting.json'), JSON.stringify({ ...GREETING, name: 'A greeting' }));
    await err.has('published greeting version 2');
  } finally {
    child.kill('SIGINT');
  }
  expect(await ended).toBe(0);
  expect(out.text.trimEnd().split('\n}\n')).toHaveLength(1);
});

test('a handler that leaves a rejected promise behind is named, and everything goes on', async () => {
  const stray = new URL('fixtures/stray.ts', import.meta.url);
  const cwd = folderWith({
    'stray.json': { id: 'stray', nodes: [{ id: 'n', type: 'action', config: { command: 'stray' } }] },
  });
  const env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    DATABASE_URL: database.url,
    FERMATA_TASK_QUEUE: uniqueName('dev'),
  };
  const child = spawnCli(['dev', '--commands', fileURLToPath(stray), '--definitions', 'stray.json'], { cwd, env });
  child.stdin.end();
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const out = new Written(child.stdout);
  const err = new Written(child.stderr);
  try {
    await out.has('Next,');
    const run = await callCli(['runs', 'start', 'stray', '--wait', '--json'], { env });
    expect(run.document()).toMatchObject({ state: 'completed' });
    await err.has('left behind');
    const again = await callCli(['runs', 'start', 'stray', '--wait', '--json'], { env });
    expect(again.document()).toMatchObject({ state: 'completed' });
  } finally {
    child.kill('SIGINT');
  }
  expect(await ended).toBe(0);
});

test('one line tells where a run begins and ends and each attempt that failed; --quiet tells nothing of them', async () => {
  const flaky = fileURLToPath(new URL('fixtures/flaky.ts', import.meta.url));
  const config = { command: 'flaky', payload: { always: '${input}' } };
  const cwd = folderWith({ 'flaky.json': { id: 'flaky', nodes: [{ id: 'n', type: 'action', config }] } });
  const told = async (...more: string[]): Promise<string> => {
    const env = {
      TEMPORAL_ADDRESS: temporalAddress(),
      DATABASE_URL: database.url,
      FERMATA_TASK_QUEUE: uniqueName('dev'),
      FERMATA_TENANT: uniqueName('t'),
    };
    const child = spawnCli(['dev', '--commands', flaky, '--definitions', 'flaky.json', ...more], { cwd, env });
    child.stdin.end();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const out = new Written(child.stdout);
    const err = new Written(child.stderr);
    try {
      await out.has('Next,');
      for (const always of ['false', 'true']) {
        await callCli(['runs', 'start', 'flaky', '--id', always, '--input', always, '--wait'], { env });
      }
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).toBe(0);
    return err.text.replaceAll(`${env.FERMATA_TENANT}/`, '');
  };
  const story = (await told()).split('\n').filter((line) => line.startsWith('flaky/'));
  expect(story).toEqual([
    'flaky/false started (version 1)',
    'flaky/false/n/1 attempt 1 of flaky failed: BUSY: no room; it is tried again',
    'flaky/false completed',
    'flaky/true started (version 1)',
    'flaky/true/n/1 attempt 1 of flaky failed: BUSY: no room; it is tried again',
    expect.stringMatching(/^flaky\/true\/n\/1 attempt 2 of flaky failed: BUSY: no room/),
    'flaky/true failed: BUSY at n: no room',
  ]);
  expect(await told('--quiet')).not.toContain('flaky/');
});

/** What a stream has said so far. */
class Written {
  text = '';
  readonly #stream: NodeJS.ReadableStream;

  constructor(stream: NodeJS.ReadableStream) {
    this.#stream = stream;
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      this.text += chunk;
    });
  }

  async has(part: string): Promise<void> {
    while (!this.text.includes(part)) {
      await new Promise<void>((resolve, reject) => {
        this.#stream.once('data', () => resolve());
        this.#stream.once('end', () => reject(new Error(`the process ended without ${JSON.stringify(part)}`)));
      });
    }
  }
}
