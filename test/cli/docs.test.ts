import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cliDocs } from '../../scripts/cli-docs.ts';

test('docs/cli.md is what `npm run generate` would write', () => {
  expect(readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')).toBe(cliDocs());
});

test('every verb has examples, and every verb that prints takes --json', () => {
  const sections = cliDocs()
    .split(/^#+ fermata /m)
    .slice(1);
  expect(sections.length).toBeGreaterThan(20);
  for (const section of sections) {
    const name = section.slice(0, section.indexOf('\n'));
    expect(section, name).toContain('Examples:');
    if (section.includes('<verb>')) continue;
    expect(section, name).toContain('--json');
  }
});
