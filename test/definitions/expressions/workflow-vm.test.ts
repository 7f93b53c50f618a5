/**
 * Expressions inside a VM like the one that Temporal keeps for workflows: no Node, built-ins frozen, TextEncoder from
 * outside, and, stricter than there, code from strings forbidden.
 */
import { TextDecoder, TextEncoder } from 'node:util';
import vm from 'node:vm';
import { bundleWorkflowCode } from '@temporalio/worker';
import { beforeAll, expect, test, vi } from 'vitest';
import * as here from '../../../definitions/expressions/index.ts';
import { conformanceCases } from './cel-spec.ts';

vi.setConfig({ hookTimeout: 120_000, testTimeout: 60_000 });

const NAMES_TEXT = JSON.stringify({
  event: { data: { id: 'L1', company: { size: 120 }, tags: ['a', 'b'], name: 'Zoë 😀' } },
  input: { list: [1, 2, 3] },
  vars: {},
  nodes: {},
  run: {},
  now: Date.UTC(2027, 0, 1),
});

/** Evaluates texts inside the VM; everything crosses as JSON text. */
let evaluateInside: (text: string) => string;

const INSIDE = `(text, names) => {
  const { compileExpression, Meter } = __TEMPORAL__.importWorkflows();
  try {
    return JSON.stringify({ value: compileExpression(text).evaluate(JSON.parse(names), new Meter()) });
  } catch (error) {
    return JSON.stringify({ error: error.message });
  }
}`;

function evaluateHere(text: string): string {
  try {
    const names = JSON.parse(NAMES_TEXT) as here.Names;
    return JSON.stringify({ value: here.compileExpression(text).evaluate(names, new here.Meter()) });
  } catch (error) {
    return JSON.stringify({ error: (error as Error).message });
  }
}

beforeAll(async () => {
  const quiet = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const { code } = await bundleWorkflowCode({
    workflowsPath: new URL('workflow-entry.ts', import.meta.url).pathname,
    logger: quiet,
    webpackConfigHook: (config) => ({
      ...config,
      resolve: { ...config.resolve, conditionNames: ['fermata-source', '...'] },
    }),
  });
  const context = vm.createContext(
    { TextEncoder, TextDecoder, AbortController, __webpack_module_cache__: {} },
    { codeGeneration: { strings: false, wasm: false } },
  );
  vm.runInContext(code, context);
  vm.runInContext('__TEMPORAL__.importWorkflows()', context);
  vm.runInContext(
    'for (const key of Object.getOwnPropertyNames(globalThis)) if (typeof globalThis[key] === "function") Object.freeze(globalThis[key])',
    context,
  );
  const inside = vm.runInContext(INSIDE, context) as (text: string, names: string) => string;
  evaluateInside = (text) => inside(text, NAMES_TEXT);
});

test.each([
  'event.data.company.size >= 50',
  'event.data.tags.map(t, t + "!")',
  'event.data.name.size()',
  'bytes(event.data.name) == b"Zo\\303\\253 \\360\\237\\230\\200"',
  'string(bytes(event.data.name))',
  '"%x".format([event.data.name])',
  'now + duration("2h")',
  'now.getHours("+02:00")',
  '{"at": now, "list": input.list + [4]}',
  '"abc".matches("^a.c$")',
  'event.data.nothing',
  'input.list.exists(x, x.foo == 1)',
])('%s is the same inside and outside', (text) => {
  expect(evaluateInside(text)).toBe(evaluateHere(text));
});

test('conversions, texts and times of cel-spec are the same inside and outside', () => {
  const different = conformanceCases()
    .filter(({ title }) => /^(conversions|string|string_ext|timestamps)\//.test(title))
    .map(({ expr }) => expr)
    .filter((expr) => evaluateInside(expr) !== evaluateHere(expr));
  expect(different).toEqual([]);
});
