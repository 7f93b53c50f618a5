import { expect, test } from 'vitest';
import { utf8Length } from '../../definitions/json/size.ts';
import type { Definition } from '../../definitions/types.ts';
import { compiled } from '../../workflows/compile.ts';

test('a node is labelled by its name, else its id; a longer name than a summary may be is cut', () => {
  const node = { type: 'end' } as const;
  const { nodes } = compiled(
    {
      id: 'labels',
      nodes: [
        { ...node, id: 'a', name: 'The end' },
        { ...node, id: 'b' },
        { ...node, id: 'c', name: '🏁'.repeat(500) },
      ],
    },
    {},
  );
  expect(nodes.get('a')?.label).toBe('The end');
  expect(nodes.get('b')?.label).toBe('b');
  expect(utf8Length(nodes.get('c')?.label ?? '')).toBeLessThanOrEqual(200);
});

test('every document is walked as it came along, whatever its start says of it', () => {
  const definition = (status: 'completed' | 'failed'): Definition => ({
    id: 'forged',
    nodes: [{ id: 'a', type: 'end', config: { status } }],
  });
  const walked = (status: 'completed' | 'failed'): unknown => compiled(definition(status), {}).definition;
  expect(walked('completed')).toEqual(definition('completed'));
  expect(walked('failed')).toEqual(definition('failed'));
  expect(walked('completed')).toEqual(definition('completed'));
});

test('a version is compiled once for all the runs that bring it along', () => {
  const definition = (): Definition => ({ id: 'once', nodes: [{ id: 'a', type: 'end' }] });
  expect(compiled(definition(), {})).toBe(compiled(definition(), {}));
});
