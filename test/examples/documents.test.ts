/** What the pages say in JSON is true of the language, and their links lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkDefinition, LIMITS, readCalendar } from 'fermata/definitions';
import { describe, expect, it } from 'vitest';
import article from '../../examples/lead-onboarding/definition.json' with { type: 'json' };
import { blocksOf, ROOT } from './documents.ts';
import { snippetsOf } from './snippets.ts';

const PAGES = [
  'README.md',
  'docs/language.md',
  'docs/guide/getting-started.md',
  'CONTRIBUTING.md',
  'docs/README.md',
  ...readdirSync(join(ROOT, 'examples'))
    .map((name) => `examples/${name}/README.md`)
    .filter((name) => existsSync(join(ROOT, name))),
];
const page = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const snippets = snippetsOf('README.md');

describe('the pages', () => {
  it('show JSON that is valid, node for node', () => {
    expect(snippets.length).toBeGreaterThan(4);
    const faults = snippets.flatMap(({ definition }) => checkDefinition(definition).issues);
    expect(faults).toEqual([]);
  });

  it('show calendars that are valid', () => {
    const calendars = blocksOf('docs/language.md').filter(({ language }) => language === 'yaml');
    expect(calendars.map(({ text }) => readCalendar(text).name)).toEqual(['office']);
  });

  it.each(PAGES)('of %s link to files that are there', (name) => {
    const links = [...page(name).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(ROOT, dirname(name), target)))).toEqual([]);
  });

  it('name npm scripts that there are', () => {
    const { scripts } = JSON.parse(page('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const named = PAGES.flatMap((name) =>
      [...page(name).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, run = '']) => run),
    );
    expect([...new Set(named)].filter((run) => !(run in scripts))).toEqual([]);
  });

  it('give the limits that hold', () => {
    expect(page('README.md')).toContain(`at most ${LIMITS.valueBytes / 1024} KiB each`);
    expect(LIMITS.inputBytes).toBe(LIMITS.valueBytes);
    expect([LIMITS.stateBytes, LIMITS.definitionBytes]).toEqual([1024 ** 2, 1024 ** 2]);
    expect(page('README.md')).toContain(`visited ${LIMITS.maxVisits.toLocaleString('en')} times`);
  });
});

it("the example is the article's, to the letter", () => {
  const last = blocksOf('docs/language.md').findLast(({ language }) => language === 'json');
  expect(article).toEqual(JSON.parse(last?.text ?? ''));
});
