import { expect, test } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { simulate, type SimulationProgress } from '../../testing/index.ts';

const spinning = (between: Definition['nodes'][number]): Definition => ({
  id: 'spinning',
  nodes: [
    { id: 'again', type: 'assign', config: { vars: { n: 1 } }, maxVisits: 1_000_000_000, nextNodeId: 'between' },
    { ...between, id: 'between', nextNodeId: 'again', maxVisits: 1_000_000_000 },
  ],
});

test.each<[what: string, between: Definition['nodes'][number]]>([
  ['no waiting node', { id: 'between', type: 'assign', config: { vars: { n: 2 } } }],
  ['a delay in it', { id: 'between', type: 'delay', config: { duration: '1h' } }],
])('a loop that nothing ends, with %s, is given up after the documented number of visits', async (_what, between) => {
  const heard: SimulationProgress[] = [];
  const simulated = simulate(spinning(between), { maxVisits: 41_000, onProgress: (now) => heard.push(now) });
  await expect(simulated).rejects.toMatchObject({
    code: 'simulation.too_long',
    message: expect.stringMatching(/visits and goes on: it is at node (again|between), at .*--max-visits/),
  });
  expect(heard.map(({ visits }) => Math.floor(visits / 1_000))).toEqual([20, 40]);
});

test('a run that ends within the number is not disturbed, and a number that is none is refused', async () => {
  const ending: Definition = { id: 'ending', nodes: [{ id: 'done', type: 'end', config: { output: 7 } }] };
  expect(await simulate(ending, { maxVisits: 1 })).toMatchObject({ state: 'completed', output: 7 });
  await expect(simulate(ending, { maxVisits: Number.NaN })).rejects.toMatchObject({ code: 'usage.invalid' });
});
