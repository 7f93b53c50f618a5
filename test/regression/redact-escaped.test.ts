import { expect, test } from 'vitest';
import { simulate } from '../../testing/simulate.ts';

test('a hidden value with quotes is hidden in words too, where it stands as JSON', async () => {
  const correlate = { 'data.pin': '${input.pin}' };
  const run = await simulate(
    {
      id: 'hides',
      redact: ['input.pin'],
      nodes: [{ id: 'wait', type: 'event', config: { event: 'paid', correlate } }],
    },
    { input: { pin: 'pa"ss\\word' } },
  );
  expect(run.waiting).toMatchObject([{ for: 'the event paid with data.pin "[redacted]"' }]);
});
