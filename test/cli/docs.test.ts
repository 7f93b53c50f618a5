import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cliDocs } from '../../scripts/cli-docs.ts';

test('docs/cli.md is what `npm run generate` would write', () => {
  expect(readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')).toBe(cliDocs());
});

const sections = cliDocs()
  .split(/^#+ (?=fermata)/m)
  .slice(1)
  .map((section) => ({ name: section.slice(0, section.indexOf('\n')), section }));

test.each(sections)('$name has examples and, where it prints, --json', ({ section }) => {
  expect(section).toContain('Examples:');
  if (!/<verb>|\[command\]/.test(section)) expect(section).toContain('--json');
});
