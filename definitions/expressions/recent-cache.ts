/** A map that forgets what was used longest ago. A pure memo: forgetting costs time, never a result. */
export class RecentCache<V> {
  readonly #entries = new Map<string, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of `key`, made and kept when it is not there. What `make` throws is not kept. */
  get(key: string, make: (key: string) => V): V {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const made = make(key);
    this.#entries.set(key, made);
    if (this.#entries.size > this.#capacity) this.#forgetOldest();
    return made;
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}
