/**
 * Fails a test file that leaves something running: a worker, a pool, a server, a child process, a timer.
 *
 * A setup file of vitest, so it runs once per test file, around all of its own hooks. It asks Node what still keeps the
 * process alive, and compares with what did before the file began.
 *
 * 1. What the file closes in its own `afterAll` is closed by then: hooks run in reverse order, and this one is the first.
 * 2. A close that needs a moment gets it: the check waits for the condition, at most {@link GRACE_MS}.
 */
import type { Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** How long closing may go on after the last hook. */
const GRACE_MS = 2000;
/** Kinds of handle that end by themselves, or that belong to vitest. */
const HARMLESS = new Set(['CloseReq', 'Immediate', 'FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'TTYWrap']);

/** Threads are no handles in Node's list. A Temporal worker runs its workflows in threads, so it is seen by them. */
const threads = new Set<Worker>();
process.on('worker', (thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

function countHandles(): Map<string, number> {
  const counts = new Map([['worker thread', threads.size]]);
  for (const kind of process.getActiveResourcesInfo()) {
    if (!HARMLESS.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Kinds of which there are more than before, as `2 TCPSocketWrap`. */
function leaked(before: Map<string, number>): string[] {
  return [...countHandles()].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
}

const before = countHandles();

afterAll(async () => {
  const giveUpAt = performance.now() + GRACE_MS;
  let left = leaked(before);
  while (left.length > 0 && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 10).unref());
    left = leaked(before);
  }
  if (left.length > 0)
    throw new Error(`This test file leaves open: ${left.join(', ')}. Close it in afterAll or afterEach.`);
});
