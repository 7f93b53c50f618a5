/**
 * The wish that what is under way should stop, as one scope of effects sees it.
 *
 * Invariants:
 * 1. It is made once; making it again changes nothing.
 * 2. Listeners hear of it in the order in which they began to listen; children hear with them.
 */
export class Cancellation {
  #made = false;
  readonly #listeners = new Set<() => void>();

  get requested(): boolean {
    return this.#made;
  }

  request(): void {
    if (this.#made) return;
    this.#made = true;
    const heard = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of heard) listener();
  }

  /** Calls `listener` when the wish is made. Returns how to stop listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A scope inside this one: stopped with it, or on its own. */
  child(): Cancellation {
    const child = new Cancellation();
    if (this.#made) child.request();
    else this.listen(() => child.request());
    return child;
  }
}
