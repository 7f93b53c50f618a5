import { expect, test } from 'vitest';
import { errorInfoText } from '../../cli/output/run-text.ts';
import type { ErrorInfo } from '../../definitions/index.ts';
import { callCli } from './call-cli.ts';
import { ROOT } from '../examples/documents.ts';

const cancelled: ErrorInfo = { type: 'CANCELLED', message: 'Cancelled: enough', nodeId: 'rest' };

test('a cancellation that has another as its cause is told once, and what made it is not left out', () => {
  const inner: ErrorInfo = { ...cancelled, message: 'Cancelled', nodeId: 'inner' };
  expect(errorInfoText({ ...cancelled, cause: inner })).toBe('CANCELLED at rest: Cancelled: enough');
  const fault: ErrorInfo = { type: 'BUSY', message: 'no room', nodeId: 'book' };
  expect(errorInfoText({ ...cancelled, cause: { ...inner, cause: fault } })).toBe(
    'CANCELLED at rest: Cancelled: enough, caused by BUSY at book: no room',
  );
});

test('a step inside a branch is shown under its path as ids have it', async () => {
  const example = 'examples/content-publishing';
  const event = ['--event', `@${example}/event.json`, '--mocks', `${example}/mocks.yaml`];
  const { stdout } = await callCli(['simulate', `${example}/definition.yaml`, ...event], { cwd: ROOT });
  expect(stdout).toContain(' release[2]/show_all ');
});
