import { expect, test } from 'vitest';
import { utf8Length } from '../../definitions/json/size.ts';
import { compiled } from '../../workflows/compile.ts';

test('a node is labelled by its name, else its id; a longer name than a summary may be is cut', () => {
  const node = { type: 'end' } as const;
  const { nodes } = compiled(
    'labels',
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
