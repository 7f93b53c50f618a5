/** Temporal hangs a run that has 2,000 children which have not ended; one that begins more goes on in fresh histories. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { openStage, type Stage } from '../cases/stage.ts';
import { uniqueName } from '../setup/temporal.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const CHILDREN = 2_100;

test('a run begins more children than Temporal lets one history have, and none of its tasks fails', async () => {
  const definition: Definition = {
    id: 'many-children',
    output: '${size(nodes.each.output)}',
    nodes: [
      {
        id: 'each',
        type: 'forEach',
        config: {
          items: 'input.items',
          concurrency: 200,
          output: '${null}',
          // Nobody works on that queue, so none of them ends.
          nodes: [
            {
              id: 'child',
              type: 'workflow',
              config: { workflowType: 'endless', taskQueue: uniqueName('nobody'), wait: false },
            },
          ],
        },
      },
    ],
  };
  const items = Array.from({ length: CHILDREN }, (_, index) => index);
  const handle = await stage.start(definition, { input: { items } });
  const { document, histories } = await stage.conclude(handle, { withinMs: 60_000 });
  expect(document).toMatchObject({ state: 'completed', output: CHILDREN });
  expect(new Set(document.children?.map(({ runId }) => runId)).size).toBe(CHILDREN);
  expect(histories.length).toBeGreaterThan(1);
}, 180_000);
