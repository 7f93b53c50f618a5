/**
 * What code of the workflow sandbox reaches, over all its imports: lint sees one import at a time, this sees the whole
 * graph. So `workflows/` may import any pure file of `definitions/`, and never a zod file at one remove.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** All that the bundle may hold of others' code. */
const ALLOWED = /^(@temporalio\/(workflow|common)|@bufbuild\/(cel|protobuf|re2)|@cfworker\/json-schema)(\/|$)/;

/** Names of modules outside of `folder` that the files of its `workflows/` reach, types not counted. */
async function reachedFrom(folder: string): Promise<string[]> {
  const files = readdirSync(join(folder, 'workflows'), { recursive: true, encoding: 'utf8' });
  const { metafile } = await build({
    entryPoints: files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, 'workflows', file)),
    absWorkingDir: folder,
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return [...new Set(imports.filter((one) => one.external).map((one) => one.path))].sort();
}

const planted = mkdtempSync(join(tmpdir(), 'fermata-workflow-code-'));
afterAll(() => rmSync(planted, { recursive: true, force: true }));

test('workflow code reaches neither Node nor zod nor SQL, at any remove', async () => {
  const foreign = (await reachedFrom(root)).filter((name) => !ALLOWED.test(name));
  expect(foreign).toEqual([]);
});

test('a forbidden module at two removes is seen', async () => {
  const files = {
    'workflows/walk.ts': `import '../definitions/parse.ts';`,
    'definitions/parse.ts': `import './schema/node.ts';`,
    'definitions/schema/node.ts': `import { z } from 'zod'; import 'node:fs'; export const node = z.string();`,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(planted, file)), { recursive: true });
    writeFileSync(join(planted, file), text);
  }
  expect(await reachedFrom(planted)).toEqual(['node:fs', 'zod']);
});
