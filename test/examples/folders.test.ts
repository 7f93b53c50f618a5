/** Each folder of an example is whole, and what its README tells to type does what it says. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { blocksOf, ROOT, wordsOf } from './documents.ts';

const EXAMPLES = readdirSync(join(ROOT, 'examples')).filter((name) =>
  existsSync(join(ROOT, 'examples', name, 'README.md')),
);

/** What the README tells to type, without `npm run -s fermata --`. */
const typed = (name: string): string[][] =>
  blocksOf(`examples/${name}/README.md`)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) => wordsOf(line.replace(/^npm run -s fermata -- /, '')));

describe.each(EXAMPLES)('the example %s', (name) => {
  it('has the files that the others have', () => {
    const files = readdirSync(join(ROOT, 'examples', name));
    expect(files).toEqual(expect.arrayContaining(['commands.ts', 'definition.test.ts', 'event.json', 'mocks.yaml']));
    expect(files.filter((file) => /^definition\.(json|yaml|ts)$/.test(file))).toHaveLength(1);
  });

  it('names files that are there', () => {
    const files = typed(name)
      .flat()
      .filter((word) => /examples\//.test(word));
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((file) => !existsSync(join(ROOT, file.replace(/^@/, ''))))).toEqual([]);
  });

  it('simulates to its good end with its own event and mocks', async () => {
    const simulations = typed(name).filter(([verb]) => verb === 'simulate');
    expect(simulations).toHaveLength(1);
    const { exit, document, stderr } = await callCli([...(simulations[0] ?? []), '--json'], { cwd: ROOT });
    expect({ exit, state: document()['state'] }, stderr).toEqual({ exit: 0, state: 'completed' });
  });

  it('is valid with its own handlers', async () => {
    const definitions = readdirSync(join(ROOT, 'examples', name)).filter((file) => /^definition\.\w+$/.test(file));
    const files = definitions.filter((file) => /json|yaml/.test(file)).map((file) => `examples/${name}/${file}`);
    const { exit, stderr } = await callCli(['validate', ...files, '--commands', `examples/${name}/commands.ts`], {
      cwd: ROOT,
    });
    expect(exit, stderr).toBe(0);
  });
});
