/**
 * Work on many things, some at a time.
 */

/** Things that are under way at once. */
const AT_ONCE = 16;

/** Does `body` for each item. One that may fail catches its own error. */
export async function eachAtOnce<T>(items: readonly T[], body: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await body(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, lane));
}
