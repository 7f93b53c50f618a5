/**
 * The lint rules that guard the architecture, proved: each violation is planted in a copy of the configuration, one run
 * of the linter sees them all, and every one must be refused at its place by the rule named here.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Claim, file, its text, the rule that refuses it (`null`: it is allowed). */
type Plant = readonly [claim: string, file: string, code: string, rule: string | null];

const WALLS = 'fermata(import-walls)';
const walls: Plant[] = [
  ['definitions/ may not import Node', 'definitions/a1.ts', `export * from 'node:fs';`, WALLS],
  ['definitions/ may not import Node without its prefix', 'definitions/a2.ts', `import 'fs';`, WALLS],
  ['definitions/ may not import another folder', 'definitions/a3.ts', `import '../store/b1.ts';`, WALLS],
  ['definitions/ may not import Temporal', 'definitions/a4.ts', `import '@temporalio/common';`, WALLS],
  ['zod stays in schema files', 'definitions/a5.ts', `import 'zod';`, WALLS],
  ['schema files may import zod', 'definitions/schema/node.ts', `import 'zod';`, null],
  ['CEL stays in expressions/', 'definitions/a6.ts', `import '@bufbuild/cel';`, WALLS],
  ['expressions/ may import CEL', 'definitions/expressions/cel.ts', `import '@bufbuild/cel';`, null],
  ['croner stays in the file of cron patterns', 'definitions/a11.ts', `import 'croner';`, WALLS],
  ['time/ may not import workflows/', 'time/a1.ts', `import '../workflows/a3.ts';`, WALLS],
  ['the walker may not import time/', 'workflows/a5.ts', `import '../time/index.ts';`, WALLS],
  ['a dynamic import is no way round', 'definitions/a7.ts', `export const fs = () => import('node:fs');`, WALLS],
  ['a computed import is no way round', 'definitions/a8.ts', `export const load = (n: string) => import(n);`, WALLS],
  [
    'require is no way round',
    'definitions/a9.ts',
    `declare const require: (n: string) => object; require('fs');`,
    WALLS,
  ],
  ['a type import from Node is one too', 'definitions/a10.ts', `export type S = import('node:fs').Stats;`, WALLS],
  ['workflows/ may not import Node', 'workflows/nodes/a1.ts', `import 'node:crypto';`, WALLS],
  ['workflows/ may not import zod', 'workflows/a2.ts', `import 'zod';`, WALLS],
  ['workflows/ may import definitions/', 'workflows/nodes/a3.ts', `import '../../definitions/a1.ts';`, null],
  ['the walker knows nothing of Temporal', 'workflows/a4.ts', `import '@temporalio/workflow';`, WALLS],
  ['its binding does', 'workflows/temporal/a5.ts', `import '@temporalio/workflow';`, null],
  ['store/ may not import activities/', 'store/a1.ts', `import '../activities/a1.ts';`, WALLS],
  ['store/ may import pg', 'store/b1.ts', `import 'pg';`, null],
  ['SQL stays in store/', 'activities/a1.ts', `import 'pg';`, WALLS],
  ['no query builder in client/', 'client/a1.ts', `import 'kysely';`, WALLS],
  ['client/ may not run workflows/', 'client/a2.ts', `import '../workflows/a3.ts';`, WALLS],
  ['client/ may import types of workflows/', 'client/a3.ts', `import type {} from '../workflows/a3.ts';`, null],
  ['client/ may not import the worker', 'client/a4.ts', `import '@temporalio/worker';`, WALLS],
  ['workers/ may import client/', 'workers/a1.ts', `import '../client/a3.ts';`, null],
  ['workers/ may not import cli/', 'workers/a2.ts', `import '../cli/a1.ts';`, WALLS],
  ['testing/ may not import client/', 'testing/a1.ts', `import '../client/a3.ts';`, WALLS],
  ['cli/ may not import store/', 'cli/a1.ts', `import '../store/b1.ts';`, WALLS],
  ['examples import the package by its name only', 'examples/x/a1.ts', `import '../../client/a3.ts';`, WALLS],
  ['examples may import the package', 'examples/x/a2.ts', `import 'fermata/definitions';`, null],
];

const globals = [
  'process',
  'setTimeout',
  'setInterval',
  'globalThis',
  'performance',
  'crypto',
  'fetch',
  'Intl',
  'Function',
];
const GLOBALS = 'eslint(no-restricted-globals)';
const PROPERTIES = 'eslint(no-restricted-properties)';
const pure = ['definitions', 'workflows', 'time'].flatMap((folder): Plant[] => [
  ...globals.map(
    (name): Plant => [
      `${folder}/ may not name ${name}`,
      `${folder}/p-${name.toLowerCase()}.ts`,
      `export const x = ${name};`,
      GLOBALS,
    ],
  ),
  [`${folder}/ may not call eval`, `${folder}/p1.ts`, `eval('1');`, 'eslint(no-eval)'],
  [`${folder}/ may not call Function`, `${folder}/p2.ts`, `export const x = Function('1');`, 'eslint(no-new-func)'],
  [`${folder}/ may not read the clock by Date.now`, `${folder}/p3.ts`, `export const x = Date.now();`, PROPERTIES],
  [`${folder}/ may not draw at random`, `${folder}/p4.ts`, `export const x = Math.random();`, PROPERTIES],
  [`${folder}/ may not compare by locale`, `${folder}/p5.ts`, `export const x = 'a'.localeCompare('b');`, PROPERTIES],
  [
    `${folder}/ may not read the clock by new Date()`,
    `${folder}/p6.ts`,
    `export const x = new Date();`,
    'fermata(pure-date)',
  ],
  [
    `${folder}/ may not hand Date on`,
    `${folder}/p7.ts`,
    `const D = Date; export const x = new D();`,
    'fermata(pure-date)',
  ],
  [
    `${folder}/ may not use the host's zone`,
    `${folder}/p8.ts`,
    `export const x = new Date(2027, 0, 1);`,
    'fermata(pure-date)',
  ],
  [
    `${folder}/ may convert times`,
    `${folder}/p9.ts`,
    `export const x = new Date(Date.UTC(2027, 0, 1)).toISOString();`,
    null,
  ],
]);

const binding: Plant[] = [
  ["the binding may read the sandbox's clock", 'workflows/temporal/b1.ts', `export const x = Date.now();`, null],
  ['the binding may not draw at random', 'workflows/temporal/b2.ts', `export const x = Math.random();`, PROPERTIES],
  ['the binding may not name process', 'workflows/temporal/b3.ts', `export const x = process;`, GLOBALS],
];

const code: Plant[] = [
  ['a promise is not left alone', 'store/c1.ts', `const f = async () => {}; f();`, 'typescript(no-floating-promises)'],
  [
    'a promise is no condition',
    'store/c2.ts',
    `const f = async () => true; export const x = f() ? 1 : 2;`,
    'typescript(no-misused-promises)',
  ],
  [
    'a switch has a case for every member',
    'store/c3.ts',
    `export function f(x: 'a' | 'b') { switch (x) { case 'a': return 1; } return 2; }`,
    'typescript(switch-exhaustiveness-check)',
  ],
  ['any is refused', 'store/c4.ts', `export const f = (x: any) => typeof x;`, 'typescript(no-explicit-any)'],
  ['@ts-ignore is refused', 'store/c5.ts', `// @ts-ignore\nexport const x: number = '';`, 'typescript(ban-ts-comment)'],
  ['a default export is refused', 'store/c6.ts', `export default 1;`, 'import(no-default-export)'],
  [
    'an import cycle is refused',
    'store/c7.ts',
    `import { b } from './c8.ts'; export const a = () => b;`,
    'import(no-cycle)',
  ],
  [
    'an import cycle is seen from its other end',
    'store/c8.ts',
    `import { a } from './c7.ts'; export const b = a;`,
    'import(no-cycle)',
  ],
  ['a file is named in kebab-case', 'store/camelCase.ts', `export const x = 1;`, 'unicorn(filename-case)'],
];

const plants = [...walls, ...pure, ...binding, ...code];

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

let copy: string;
let found: Diagnostic[];

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'fermata-lint-'));
  for (const file of ['.oxlintrc.json', 'scripts/lint', 'tsconfig.base.json']) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  const project = { extends: './tsconfig.base.json', compilerOptions: { composite: false, types: [] } };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(project));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [, file, text] of plants) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), `${text}\n`);
  }
  const bin = join(root, 'node_modules/.bin');
  const run = spawnSync(join(bin, 'oxlint'), ['--format', 'json'], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
  });
  found = (JSON.parse(run.stdout) as { diagnostics: Diagnostic[] }).diagnostics;
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe.each([
  ['import walls', walls],
  ['pure code', pure],
  ['the binding to Temporal', binding],
  ['code', code],
])('%s', (_, group) => {
  test.each(group)('%s (%s)', (_claim, file, _text, rule) => {
    const codes = found.filter((one) => one.filename === file).map((one) => one.code);
    if (rule !== null) expect(codes).toContain(rule);
    else expect(codes.filter((one) => [WALLS, GLOBALS, PROPERTIES, 'fermata(pure-date)'].includes(one))).toEqual([]);
  });
});
