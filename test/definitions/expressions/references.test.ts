/** What an expression refers to. */
import { expect, test } from 'vitest';
import { compileExpression } from '../../../definitions/expressions/index.ts';

/** `path` or, when guarded, `path?`. */
function references(text: string): string[] {
  return compileExpression(text).references.map(({ path, guarded }) => path.join('/') + (guarded ? '?' : ''));
}

test.each<[string, string[]]>([
  ['nodes.assign.output.ownerId', ['nodes/assign/output/ownerId']],
  ['vars["a.b"].items[0].x', ['vars/a.b/items/0/x']],
  ['event', ['event']],
  ['1 + 2', []],
  ['now > timestamp(input.at)', ['now', 'input/at']],
  ['input.list[input.i].x', ['input/list', 'input/i']],
  ['input.list.map(x, x.a + input.b)', ['input/list', 'input/b']],
  ['input.list.map(input, input.a)', ['input/list']],
  ['input.a.startsWith(vars.b)', ['input/a', 'vars/b']],
  ['{"a": vars.x, vars.y: 1}', ['vars/x', 'vars/y']],
  ['strings.quote(vars.x)', ['vars/x']],
  ['type(vars.x) == string', ['vars/x']],
  ['has(vars.x)', ['vars/x?']],
  ['has(vars.list[vars.i].x)', ['vars/list', 'vars/i']],
  ['get(event, "data.x", vars.d)', ['event/data/x?', 'vars/d']],
  ['get(event.data, vars.key, 1)', ['event/data?', 'vars/key']],
  ['has(nodes.a) && nodes.a.output.x > 1', ['nodes/a?', 'nodes/a/output/x?']],
  ['nodes.a.output.x > 1 && has(nodes.a)', ['nodes/a/output/x?', 'nodes/a?']],
  ['has(nodes.a) || nodes.a.output.x > 1', ['nodes/a?', 'nodes/a/output/x']],
  ['!has(nodes.a) || nodes.a.output.x > 1', ['nodes/a?', 'nodes/a/output/x?']],
  ['has(vars.x) ? vars.x : vars.y', ['vars/x?', 'vars/x?', 'vars/y']],
  ['!has(vars.x) ? 0 : vars.x', ['vars/x?', 'vars/x?']],
  ['has(vars.x) && has(vars.y) && vars.x + vars.y > 1', ['vars/x?', 'vars/y?', 'vars/x?', 'vars/y?']],
  ['has(vars.x) && vars.xy', ['vars/x?', 'vars/xy']],
  ['has(vars.x) && input.list.all(i, i > vars.x)', ['vars/x?', 'input/list', 'vars/x?']],
])('%s refers to %j', (text, expected) => {
  expect(references(text)).toEqual(expected);
});

test('a reference knows where it begins', () => {
  expect(compileExpression('1 +  nodes.a.output').references).toEqual([
    { path: ['nodes', 'a', 'output'], guarded: false, offset: 5, text: '1 +  nodes.a.output', pointer: '' },
  ]);
});
