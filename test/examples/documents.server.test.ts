/**
 * The README and the guide, done as a newcomer does them: files written, commands typed, output compared, code compiled
 * and run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli, spawnCli } from '../cli/call-cli.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { blocksOf, commandsOf, ROOT, settled } from './documents.ts';

const PAGES = ['README.md', 'docs/guide/getting-started.md'];
const HELLO = 'examples/hello';
const project = mkdtempSync(join(tmpdir(), 'fermata-newcomer-'));
let database: TestDatabase;
let dev: ChildProcess;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  env = {
    ...process.env,
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: database.url,
    FERMATA_TASK_QUEUE: uniqueName('newcomer'),
    NO_COLOR: '1',
  };
  writeProject();
  const commands = ['--commands', `${HELLO}/commands.ts`, 'commands.ts'];
  dev = spawnCli(['dev', ...commands, '--definitions', `${HELLO}/definition.json`, 'stay.yaml'], { cwd: project, env });
  await ready(dev);
}, 120_000);

afterAll(async () => {
  const ended = new Promise((resolve) => dev.once('exit', resolve));
  dev.kill('SIGTERM');
  await ended;
  rmSync(project, { recursive: true });
  await database.drop();
});

/** The files that the pages name, beside the packages that they tell to install. */
function writeProject(): void {
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(ROOT, join(project, 'node_modules/fermata'));
  for (const name of ['zod', 'vitest', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
  write('package.json', JSON.stringify({ type: 'module' }));
  const compilerOptions = { noEmit: true, composite: false, declaration: false, declarationMap: false };
  const options = { ...compilerOptions, rewriteRelativeImportExtensions: false };
  write('tsconfig.json', JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions: options }));
  for (const [page, blocks] of PAGES.map((name) => [name, blocksOf(name)] as const)) {
    for (const [index, block] of blocks.entries()) {
      const snippet = block.language === 'ts' ? `${HELLO}/${page.replace(/\W/g, '-')}-${index}.ts` : null;
      const file = block.file ?? snippet;
      if (file !== null) write(file, block.text);
    }
  }
}

function write(file: string, content: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content);
}

async function ready(child: ChildProcess): Promise<void> {
  child.stderr?.resume();
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      output += more;
      if (output.includes('Ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`fermata dev ended with exit code ${code}: ${output}`)));
  });
}

describe('the pages for newcomers', () => {
  it('show commands that print what is shown', async () => {
    const commands = PAGES.flatMap((page) => commandsOf(blocksOf(page)));
    expect(commands.length).toBeGreaterThan(9);
    for (const { args, env: called, output } of commands) {
      const typed = async (): Promise<string> => {
        const { stdout, stderr } = await callCli(args, { cwd: project, env: { ...env, ...called } });
        return settled(stdout + stderr);
      };
      // A list is looked at again until the run has come there, as a person would.
      const options = { timeout: args.includes('list') ? 30_000 : 0, message: args.join(' ') };
      await expect.poll(typed, options).toBe(settled(output));
    }
  });

  it('have a program that prints what is shown', async () => {
    const shown = blocksOf('docs/guide/getting-started.md').find(({ text: body }) => body.startsWith('started stay/'));
    const node = ['--conditions=fermata-source', '--import', import.meta.resolve('tsx'), 'start.ts'];
    const program = spawn(process.execPath, node, { cwd: project, env });
    program.stderr.resume();
    expect(settled(await text(program.stdout))).toBe(settled(shown?.text ?? ''));
  });

  it('have code that compiles', async () => {
    const tsc = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
    expect(await text(tsc.stdout)).toBe('');
  });
});
