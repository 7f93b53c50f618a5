/**
 * Ctrl-C and SIGTERM as an abort signal, for verbs that have something to put away.
 *
 * Invariants:
 * 1. A verb that never asks keeps Node's own behaviour: the process ends at once.
 * 2. The first signal asks for an end; one that comes later than {@link AGAIN_MS} after it ends the process at once.
 *    npm passes a Ctrl-C on that the terminal has sent already, so the same one may come twice.
 */

const AGAIN_MS = 1000;
/** 128 + SIGINT, as shells count. */
export const INTERRUPTED = 130;

let controller: AbortController | null = null;
let firstAt: number | null = null;

/** The one signal of this process. */
export function interruption(): AbortSignal {
  if (controller === null) {
    controller = new AbortController();
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  }
  return controller.signal;
}

function onSignal(): void {
  const now = performance.now();
  if (firstAt !== null && now - firstAt > AGAIN_MS) process.exit(INTERRUPTED);
  firstAt ??= now;
  controller?.abort();
}
