/**
 * One turn of the host's event loop.
 *
 * What it is: the only place where the simulator lets the host run; works in Node and in a browser.
 * What it is not: a wait for time. Nothing here looks at a clock.
 */

/** Calls back in a turn of its own, in the order of the calls. */
type TakeTurn = (resolve: () => void) => void;

const takeTurn: TakeTurn =
  typeof globalThis.setImmediate === 'function'
    ? (resolve) => globalThis.setImmediate(resolve)
    : turnsThrough(new MessageChannel());

/** Resolves in the host's next turn, when every promise that could go on by itself has done so. */
export function nextTurn(): Promise<void> {
  return new Promise(takeTurn);
}

/** Browsers have no `setImmediate`, and stretch `setTimeout` to 4 ms; a message to oneself is neither. */
export function turnsThrough({ port1, port2 }: InstanceType<typeof MessageChannel>): TakeTurn {
  const waiting: (() => void)[] = [];
  port1.addEventListener('message', () => waiting.shift()?.());
  port1.start();
  return (resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  };
}
