import { expect, test } from 'vitest';
import { sharedText } from '../../cli/output/dev-text.ts';
import { paintFor } from '../../cli/output/paint.ts';

const document = {
  temporal: { address: '127.0.0.1:7233', namespace: 'default', webUi: null },
  database: { url: 'postgresql://…' },
  worker: { taskQueue: 'fermata', commands: [] },
  definitions: [],
};

test.each([
  ['/home/ann/my shop', 'my-shop'],
  ['/home/ann/fermata', 'fermata-2'],
  ['/', 'mine'],
])('a shared Temporal server is told with lines that can be copied, in %s', (folder, queue) => {
  const text = sharedText(paintFor({ colours: false }), document, { called: 'npx fermata', folder });
  expect(text).toContain('takes runs of yours');
  expect(text.split('\n').slice(-2)).toEqual([`  export FERMATA_TASK_QUEUE=${queue}`, '  npx fermata dev …']);
});
