import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onboarding, order } from './guide-code.ts';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

it('the code of the guide is code that compiles', () => {
  const blocks = [...read('../../../docs/guide/builder.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  expect(blocks.join('\n')).toBe(read('./guide-code.ts'));
});

it('and builds valid definitions', () => {
  expect(onboarding.nodes.map(({ id }) => id)).toEqual(['is_large', 'assign', 'pause', 'welcome']);
  expect(order.nodes[1]).toMatchObject({ config: { form: { required: ['discount'] } } });
});
