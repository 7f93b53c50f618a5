/** `npm run demo` itself, against the servers of this run. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';

/** Ten seconds on an idle machine, of which five are the delay of the definition. */
const TIMEOUT_MS = 150_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

interface Demo {
  readonly output: string;
  readonly exitCode: number | null;
}

/** Runs the demo; `onOutput` sees all that it has printed so far. */
function runDemo(
  args: readonly string[],
  onOutput: (output: string, kill: () => void) => void = () => {},
): Promise<Demo> {
  const script = ['--conditions=fermata-source', '--import', 'tsx', 'examples/demo.ts', ...args];
  const env = { ...process.env, TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: temporalNamespace() };
  const demo = spawn(process.execPath, script, { cwd: ROOT, env: { ...env, DATABASE_URL: database.url } });
  let output = '';
  demo.stderr.resume();
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onOutput(output, () => demo.kill('SIGINT'));
  });
  return new Promise((resolve, reject) => {
    demo.on('error', reject).on('close', (exitCode) => resolve({ output, exitCode }));
  });
}

describe('the demo', () => {
  it('runs to its end and says so in its last line', { timeout: TIMEOUT_MS }, async () => {
    const { output, exitCode } = await runDemo([]);
    expect(output.trimEnd().split('\n').at(-1)).toBe('steps: check_size assign tag welcome wait sms');
    expect(output).toContain('5000 ms here, not 7200000 ms');
    expect(output).toContain('source is "Newsletter"');
    expect(output).toContain('rita may not decide this approval');
    expect(output).toContain('"amount":250');
    expect(exitCode).toBe(0);
  });

  it('with --keep stays up until Ctrl-C, which ends it', { timeout: TIMEOUT_MS }, async () => {
    let interrupted = false;
    const { output, exitCode } = await runDemo(['--keep'], (text, interrupt) => {
      if (interrupted || !text.includes('Ctrl-C stops everything')) return;
      interrupted = true;
      interrupt();
    });
    expect(output).toContain('\nStopping\n');
    expect(exitCode).toBe(130);
  });
});
