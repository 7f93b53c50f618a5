/**
 * What was started, to be stopped in reverse order. One that cannot be stopped does not keep the others running.
 */
export class Started {
  readonly #stops: (() => Promise<void> | void)[] = [];

  add(stop: () => Promise<void> | void): void {
    this.#stops.push(stop);
  }

  /** @throws the first fault, once all were tried */
  async stop(): Promise<void> {
    const faults: unknown[] = [];
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
      try {
        await stop();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
