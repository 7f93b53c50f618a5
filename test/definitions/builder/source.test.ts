import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  checkDefinition,
  type Definition,
  type Json,
  parseDefinition,
  toBuilderSource,
} from '../../../definitions/index.ts';
import { anyDefinition } from '../../testing/any-definition.ts';
import { ARTICLE, EVERYTHING } from '../documents.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FROM = join(ROOT, 'definitions/index.ts');
const folder = mkdtempSync(join(tmpdir(), 'fermata-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EXAMPLES = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /definition\.(?:json|yaml)$/.test(file))
  .map((file): [string, Definition] => {
    const { definition, issues } = parseDefinition(readFileSync(join(ROOT, 'examples', file), 'utf8'), { file });
    if (definition === null) throw new Error(JSON.stringify(issues));
    return [file, definition];
  });
const WRITTEN: readonly (readonly [string, Definition])[] = [
  ["the article's example", ARTICLE],
  ['every field of the language', EVERYTHING],
  ...EXAMPLES,
];

let files = 0;

function write(definition: Definition): string {
  const file = join(folder, `definition-${files++}.ts`);
  writeFileSync(file, toBuilderSource(definition, { from: FROM }));
  return file;
}

/** Runs the source of a definition. */
async function roundTrip(definition: Definition): Promise<unknown> {
  return ((await import(write(definition))) as { readonly default: unknown }).default;
}

/** A definition with one action. */
function withPayload(payload: Json, more: object = {}): Definition {
  return { id: 'one', nodes: [{ id: 'a', type: 'action', config: { command: 'work', payload } }], ...more };
}

describe('the source of a definition', () => {
  it.each(WRITTEN)('gives it again: %s', async (_, definition) => {
    expect(await roundTrip(definition)).toEqual(definition);
  });

  it('gives any definition again', async () => {
    await fc.assert(
      fc.asyncProperty(anyDefinition, async (definition) => {
        fc.pre(checkDefinition(definition).definition !== null);
        expect(await roundTrip(definition)).toEqual(definition);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('gives any text and value again', async () => {
    const piece = fc.constantFrom(
      '$',
      '{',
      '}',
      '`',
      '\\',
      "'",
      '"',
      '\n',
      '\r',
      'a',
      '$${',
      '${input.a}',
      '${ input.b }',
      "${'`'}",
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const key = fc.constantFrom('a', 'a-b', '__proto__', 'constructor', '0');
    const value = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0), // no -0, which JSON writes as 0

      fc.dictionary(key, text),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 20, maxLength: 40 }), async (values) => {
        const payload = values.filter((one) => checkDefinition(withPayload(one as Json)).definition !== null) as Json;
        expect(await roundTrip(withPayload(payload))).toEqual(withPayload(payload));
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  it.each<[string, Definition]>([
    ['a list of one trigger', withPayload(1, { trigger: [{ event: 'a', input: '${event.data}' }] })],
    ['extensions', withPayload(1, { 'x-owner': 'ann', trigger: { event: 'a', 'x-a': 1 } })],
    [
      'extensions of nodes',
      {
        id: 'x',
        nodes: [{ id: 'a', type: 'delay', config: { duration: '1s', 'x-why': [1] }, 'x-at': { y: 3 } } as never],
      },
    ],
    [
      'names that TypeScript keeps',
      {
        id: 'x',
        nodes: [
          {
            id: 'default',
            type: 'forEach',
            config: {
              items: '[1]',
              as: 'class',
              nodes: [{ id: 'switch', type: 'action', config: { command: 'work', payload: '${class}' } }],
            },
          },
        ],
      },
    ],
    [
      'a reference to a node that comes later',
      {
        id: 'x',
        nodes: [
          {
            id: 'a',
            type: 'action',
            config: { command: 'work', payload: "${get(nodes.b.output, 'x', 1)}" },
            nextNodeId: 'b',
          },
          { id: 'b', type: 'delay', config: { duration: '1s' }, nextNodeId: 'a' },
        ],
      },
    ],
  ])('gives what is rare again: %s', async (_, definition) => {
    expect(checkDefinition(definition)).toMatchObject({ definition });
    expect(await roundTrip(definition)).toEqual(definition);
  });

  it('reads as one would write it', () => {
    expect(toBuilderSource(ARTICLE)).toBe(`import { define, text } from 'fermata/definitions';

export default define('facebook-lead-onboarding', { name: 'Facebook lead onboarding', enabled: true })
  .on('lead.created', { filters: { source: 'Facebook' } })
  .condition('check_size', 'event.data.company.size >= 50')
  .action('assign', 'assign_lead', ({ event }) => ({ leadId: event.data.id, team: 'enterprise' }), { undo: true })
  .action('tag', 'add_tag', ({ event }) => ({ leadId: event.data.id, tag: 'facebook' }))
  .action('welcome', 'send_email', ({ event, nodes }) => ({
    to: event.data.email,
    template: 'welcome',
    owner: nodes.assign.output.ownerId,
  }))
  .delay('wait', { delayMs: 7200000 })
  .action('sms', 'send_sms', ({ event }) => ({ to: event.data.phone, text: text\`Any questions, \${event.data.name}?\` }))
  .build();
`);
  });

  it('compiles', () => {
    const sample = fc.sample(anyDefinition, { numRuns: 10, seed: 1 });
    const sources = [...WRITTEN.map(([, definition]) => definition), ...sample].map(write);
    const options = {
      noEmit: true,
      composite: false,
      rewriteRelativeImportExtensions: false,
      types: [],
      incremental: false,
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const config = join(folder, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions: options, files: sources }),
    );
    expect(compile(config)).toBe('');
  }, 120_000);
});

/** What the compiler has to say. */
function compile(config: string): string {
  try {
    return execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}
