import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workflowBundlePath } from '../../workers/bundle.ts';

// webpack drops what it takes for free of side effects (`sideEffects` in package.json); then every single run loads CEL.
test('the walker is preloaded: loaded once for each workflow VM and not again for each run', async () => {
  const code = readFileSync(await workflowBundlePath(), 'utf8');
  const body = /exports\.preloadModules = function preloadModules\(\) \{([^}]*)\}/.exec(code)?.[1];
  expect(body).toContain('__webpack_require__');
  expect(body).toContain('workflows/preload.ts');
}, 60_000);
