import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { workflowBundlePath } from '../../workers/bundle.ts';

let code = '';
beforeAll(async () => {
  code = readFileSync(await workflowBundlePath(), 'utf8');
}, 60_000);

// webpack drops what it takes for free of side effects (`sideEffects` in package.json); then every single run loads CEL.
test('the walker is preloaded: loaded once for each workflow VM and not again for each run', () => {
  const body = /exports\.preloadModules = function preloadModules\(\) \{([^}]*)\}/.exec(code)?.[1];
  expect(body).toContain('__webpack_require__');
  expect(body).toContain('workflows/preload.ts');
});

// With `usedExports` webpack leaves out what the preload exports, and the walker is loaded by each run all the same.
test('the preload brings the walker along', () => {
  expect(code).not.toContain('UNUSED EXPORTS');
});

// Temporal reads every property of what a preloaded module exports; for this one that takes a quarter of a second.
test("RE2's tables of Unicode are inside the module that uses them, and no module of their own", () => {
  expect(code).toContain('sweepPlatform');
  expect(code).not.toMatch(/^\/\*\*\*\/ "[^"]*UnicodeTables\.js"/m);
});
