import { expect, test } from 'vitest';
import { Story } from '../../../workflows/temporal/story.ts';

/** Node runs what is left of the microtasks of a workflow task that took too long, once the workflow is gone. */
test('what is still to be told when the workflow is gone is not told, and takes no worker down', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const story = new Story({ tenant: 'default', runId: 'x/1', definitionId: 'x', version: 1 });
    story.add({ kind: 'state', state: 'running', at: 0 });
    story.flushSoon();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
