/**
 * Looking at a run: its rows, completed by what the run itself says while it is open.
 *
 * Invariants:
 * 1. Rows alone are an answer: no worker, or no Temporal, makes looking fail.
 * 2. What is shown of an open run is one moment of it: where its rows are behind what it says, they are read again.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import { FermataError } from '../definitions/fermata-error.ts';
import type { RunDocument } from '../definitions/records.ts';
import { isoTime } from '../definitions/timestamps.ts';
import { STATE } from '../definitions/wire.ts';
import type { RunView } from '../workflows/run-view.ts';
import type { ClientParts } from './client-parts.ts';
import { grpcCode, toTemporalError } from './temporal-error.ts';

export interface WatchOptions {
  /** Milliseconds between two looks. Default 500. */
  readonly everyMs?: number;
  /** Ends the watching. */
  readonly signal?: AbortSignal;
}

/** How long an open run is asked before its rows have to do. */
const ASK_MS = 2_000;
const STATE_TIMEOUT_MS = 10_000;
/** Rows are written a moment after the step they tell of. */
const READ_AGAIN_MS = 50;
const READ_AGAIN_TIMES = 6;

/** @throws FermataError `run.not_found` */
export async function documentOf(parts: ClientParts, runId: string): Promise<RunDocument> {
  let document = await rowsOf(parts, runId);
  if (hasEnded(document)) return document;
  const view = await askForView(parts, runId, ASK_MS).catch(() => null);
  if (view === null) return document;
  for (let again = 0; again < READ_AGAIN_TIMES && isBehind(document, view); again++) {
    await pause(READ_AGAIN_MS);
    document = await rowsOf(parts, runId);
  }
  return hasEnded(document) ? document : completed(document, view);
}

/** @throws FermataError `run.not_found`, `temporal.unavailable` where no worker answers */
export async function viewOf(parts: ClientParts, runId: string): Promise<RunView> {
  await parts.store.runs.get(runId);
  try {
    return await askForView(parts, runId, STATE_TIMEOUT_MS);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) {
      throw new FermataError('run.not_found', `Temporal does not know the run "${runId}"`, { runId }, { cause: error });
    }
    if (grpcCode(error) === null) throw error;
    throw toTemporalError(error, parts.settings.temporal.address);
  }
}

/** The run whenever it has changed, until it has ended. */
export async function* watchRun(
  parts: ClientParts,
  runId: string,
  { everyMs = 500, signal }: WatchOptions,
): AsyncGenerator<RunDocument, void, undefined> {
  let last = '';
  while (signal?.aborted !== true) {
    const document = await rowsOf(parts, runId);
    const text = JSON.stringify(document);
    if (text !== last) yield document;
    last = text;
    if (hasEnded(document)) return;
    await pause(everyMs, signal);
  }
}

async function rowsOf({ store, settings }: ClientParts, runId: string): Promise<RunDocument> {
  const document = await store.runs.document(runId);
  if (document !== null) return document;
  const form = runId.includes('/') ? '' : ' (a run id is DEFINITION/ID)';
  const message = `no run "${runId}"${form} is known for the tenant "${settings.tenant}"; \`fermata runs list\` shows those that are`;
  throw new FermataError('run.not_found', message, { runId, tenant: settings.tenant });
}

async function askForView({ temporal }: ClientParts, runId: string, timeoutMs: number): Promise<RunView> {
  const handle = temporal.workflow.getHandle(runId);
  return await temporal.withDeadline(Date.now() + timeoutMs, () => handle.query<RunView>(STATE));
}

function hasEnded({ completedAt }: RunDocument): boolean {
  return completedAt !== null;
}

function isBehind(document: RunDocument, view: RunView): boolean {
  if (hasEnded(document)) return false;
  return view.ending !== null || document.trace.length < view.counts.visits;
}

function completed(document: RunDocument, view: RunView): RunDocument {
  return {
    ...document,
    state: view.state,
    startedAt: isoTime(view.startedAt),
    output: view.ending?.output ?? document.output,
    error: view.ending?.error ?? document.error,
    waiting: view.waiting.map(({ nodeId, kind, since, until, for: what }) => ({
      nodeId,
      kind,
      since: isoTime(since),
      until: until === null ? null : isoTime(until),
      for: what,
    })),
    vars: view.vars,
  };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
