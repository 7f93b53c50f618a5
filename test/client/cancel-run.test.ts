import { WorkflowNotFoundError } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { cancelRun } from '../../client/cancel-run.ts';
import type { ClientParts } from '../../client/client-parts.ts';

/** A client whose run answers the signal and Temporal's cancel request with these. */
function partsWith(answers: {
  readonly signal: () => Promise<void>;
  readonly cancel: () => Promise<void>;
}): ClientParts {
  const temporal = {
    withDeadline: (_: number, body: () => Promise<unknown>) => body(),
    workflow: { getHandle: () => answers },
  };
  const store = { runs: { get: async () => ({ state: 'running' }) } };
  return { temporal, store, settings: { temporal: { address: 'here' } } } as unknown as ClientParts;
}

const done = async (): Promise<void> => {};
const notFound = async (): Promise<void> => {
  throw new WorkflowNotFoundError('workflow execution already completed', 'r', undefined);
};

describe('a cancel', () => {
  it('has succeeded when its signal ended the run before the cancel request came', async () => {
    await expect(cancelRun(partsWith({ signal: done, cancel: notFound }), 'r', {})).resolves.toBeUndefined();
  });

  it('is refused when the run had ended before', async () => {
    const cancelled = cancelRun(partsWith({ signal: notFound, cancel: done }), 'r', {});
    await expect(cancelled).rejects.toMatchObject({ code: 'run.invalid_transition' });
  });
});
