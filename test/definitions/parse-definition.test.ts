import { describe, expect, test } from 'vitest';
import { describeIssue } from '../../definitions/issue.ts';
import { LIMITS } from '../../definitions/limits.ts';
import { parseDefinition } from '../../definitions/parse-definition.ts';
import { ARTICLE } from './documents.ts';

const YAML = `# leads
id: lead
trigger: { event: lead.created }
nodes:
  - id: hello
    type: action
    config:
      command: say # who
      payload:
        text: Hello \${event.data.name}
    nextNodeId: bye
  - id: bye
    type: delay
    config: { delayMs: -5 }
`;

const lines = (text: string, file?: string): string[] =>
  parseDefinition(text, file === undefined ? {} : { file }).issues.map(describeIssue);
const refusal = (text: string): string => {
  const { definition, issues } = parseDefinition(text);
  expect(definition).toBeNull();
  expect(issues).toHaveLength(1);
  return describeIssue(issues[0] as (typeof issues)[0]);
};

describe('a definition as text', () => {
  test("is JSON or YAML, and the article's example parses unchanged", () => {
    expect(parseDefinition(JSON.stringify(ARTICLE)).definition).toEqual(ARTICLE);
    expect(parseDefinition(JSON.stringify(ARTICLE, null, 2), { file: 'a.yaml' }).definition).toEqual(ARTICLE);
    expect(parseDefinition(YAML.replace('-5', '5'), { file: 'lead.yml' }).definition?.nodes[0]).toEqual({
      id: 'hello',
      type: 'action',
      config: { command: 'say', payload: { text: 'Hello ${event.data.name}' } },
      nextNodeId: 'bye',
    });
  });

  test('names an entry of a list by the list', () => {
    expect(lines('{ "id": "a", "nodes": [5] }')).toEqual([
      expect.stringContaining('"nodes"[0] must be an object, not the number 5'),
    ]);
  });

  test('gives file, line and column of every fault, in order, in YAML', () => {
    expect(lines(YAML.replace('command: say', 'comand: say').replace('Id: bye', 'Id: by'), 'lead.yaml')).toEqual([
      'lead.yaml:7:5: error: the field "command" is missing (definition.missing_field, at /nodes/0/config/command)',
      'lead.yaml:8:7: error: the language has no field "comand" here (did you mean "command"?) (definition.unknown_field, at /nodes/0/config/comand)',
      'lead.yaml:11:5: error: "hello" leads to "by", no such node (did you mean "bye"?) (definition.unknown_node, at /nodes/0/nextNodeId)',
      'lead.yaml:14:15: error: "delayMs" is -5; it must be a whole number of milliseconds from 0 (definition.invalid_value, at /nodes/1/config/delayMs)',
    ]);
  });

  test('gives line and column in JSON, of fields inside templates too', () => {
    const text =
      '{\n  "id": "a",\n  "nodes": [\n    { "id": "x", "type": "action", "config": { "command": "c",\n      "payload": { "to": ["${1 +}"] } } }\n  ]\n}';
    expect(parseDefinition(text, { file: 'a.json' }).issues).toMatchObject([
      {
        code: 'definition.expression_invalid',
        path: '/nodes/0/config/payload/to/0',
        line: 5,
        column: 27,
        nodeId: 'x',
        file: 'a.json',
      },
    ]);
  });

  test('has places also where YAML shares a part by an alias', () => {
    const text =
      'id: a\nx-node: &node\n  type: action\n  config: { command: 5 }\nnodes: [{ id: n, type: end, config: *node }]\n';
    expect(parseDefinition(text, { file: 'a.yaml' }).issues.map(({ path, line }) => [path, line])).toEqual([
      ['/nodes/0/config/type', 3],
      ['/nodes/0/config/config', 4],
    ]);
  });

  test('keeps YAML 1.2 apart from older habits: NO is text, dates are text, octal is a number', () => {
    const text = 'id: a\nvars: { country: NO, day: 2027-01-01, on: on }\nnodes: [{ id: n, type: end }]\n';
    expect(parseDefinition(text).definition?.vars).toEqual({ country: 'NO', day: '2027-01-01', on: 'on' });
  });
});

describe('what is no acceptable text is one issue with its place', () => {
  test.each([
    ['', 'error: the document is empty (definition.syntax)'],
    ['{"id": "a"', 'the text ends too early'],
    ['{"id": "a",}', 'a comma before the closing bracket is not JSON'],
    ['{"id": "a", "id": "b"}', 'the key "id" is given twice (definition.syntax, at /id)'],
    ['id: a\nid: b', '2:1: error: the key "id" is given twice (definition.syntax, at /id)'],
    ['id: a\nvars: { n: 12345678901234567890 }', 'the whole number 12345678901234567890 is beyond 2^53-1'],
    ['{"vars": {"n": 1e400}}', 'the number 1e400 is too large (definition.syntax, at /vars/n)'],
    ['id: "a\\0b"', 'a text must not hold the character U+0000 (definition.syntax, at /id)'],
    ['{"id": "\\ud800"}', 'half of a surrogate pair (definition.syntax, at /id)'],
    ['id: .nan', 'NaN is no JSON number'],
    ['id: !!binary aGk=', 'no form in JSON'],
    ['id: !Custom a', 'Unresolved tag'],
    ['? [a]\n: b', 'a key must be a text'],
    ['5: a', 'a key must be a text'],
    ['id: *nobody', 'the alias *nobody names nothing (definition.syntax, at /id)'],
    ['id: &me { a: *me }', 'nested deeper than 64 levels'],
    ['a: [', '2:'],
    ['--- a\n--- b', 'several YAML documents; keep the first'],
    ['[', 'the text ends too early'],
  ])('%j', (text, message) => {
    expect(refusal(text)).toContain(message === '2:' ? 'definition.syntax' : message);
  });

  test('nesting that would overflow the stack is refused, in JSON and YAML', () => {
    for (const text of [
      '['.repeat(400_000),
      `a: ${'['.repeat(400_000)}`,
      `a: ${'{b: '.repeat(100_000)}`,
      '- '.repeat(400_000),
      '? '.repeat(400_000),
    ]) {
      expect(refusal(text)).toMatch(/nested|brackets/);
    }
    const indented = Array.from({ length: 1000 }, (_, index) => `${' '.repeat(index)}a:\n`).join('');
    expect(refusal(indented)).toMatch(/nested|definition\.syntax/);
  });

  test('aliases that multiply are refused before they fill the memory', () => {
    const level = (name: string, of: string): string =>
      `${name}: &${name} [${Array.from({ length: 10 }, () => `*${of}`).join(', ')}]`;
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghij'.split('').map((name, index) => level(name, 'abcdefghij'[index] as string)),
    ];
    expect(refusal(bomb.join('\n'))).toContain('has more than 200000 values');
  });

  test('many keys take linear time to be told apart', () => {
    const text = `vars:\n${Array.from({ length: 40_000 }, (_, index) => `  k${index}: 1\n`).join('')}  k7: 2\n`;
    expect(refusal(text)).toContain('the key "k7" is given twice');
  }, 20_000);

  test('a text over the size limit is refused unread', () => {
    expect(refusal(' '.repeat(LIMITS.definitionBytes + 1))).toContain('definition.too_large');
    expect(refusal(`"${'é'.repeat(LIMITS.definitionBytes / 2)}"`)).toContain('1048578 bytes');
  });
});
