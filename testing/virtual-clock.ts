/**
 * The virtual clock: a time that moves only when it is told to, from one timer to the next.
 *
 * What it is: a priority queue of timers and the moment at which the simulation stands.
 * What it is not: a scheduler. It knows neither promises nor runs.
 *
 * Invariants:
 * 1. Time never goes back; it stands still while a timer's action runs.
 * 2. Timers due at the same moment fire in the order in which they were made, one for each `advance()`.
 * 3. A cancelled timer never fires, and moves no time.
 */
export class VirtualClock {
  #time: number;
  #made = 0;
  readonly #heap: Timer[] = [];

  /** @param startMs milliseconds since 1970 */
  constructor(startMs: number) {
    this.#time = startMs;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#time;
  }

  /** Calls `fire` once time has reached `dueMs`; a moment already past counts as now. Returns the cancellation. */
  schedule(dueMs: number, fire: () => void): () => void {
    const timer: Timer = { dueMs: Math.max(dueMs, this.#time), order: this.#made++, fire };
    this.#push(timer);
    return () => {
      timer.fire = null;
    };
  }

  /** Moves on to the next timer and fires it. `false`: there is none, and nothing will happen by itself. */
  advance(): boolean {
    for (let timer = this.#pop(); timer !== undefined; timer = this.#pop()) {
      const { fire } = timer;
      if (fire === null) continue;
      this.#time = timer.dueMs;
      fire();
      return true;
    }
    return false;
  }

  #push(timer: Timer): void {
    let at = this.#heap.push(timer) - 1;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = this.#heap[parentAt];
      if (parent === undefined || !comesBefore(timer, parent)) break;
      this.#heap[at] = parent;
      at = parentAt;
    }
    this.#heap[at] = timer;
  }

  #pop(): Timer | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last === undefined || first === last) return first;
    let at = 0;
    for (let child = this.#earlierChild(at, last); child !== null; child = this.#earlierChild(at, last)) {
      this.#heap[at] = child.timer;
      at = child.at;
    }
    this.#heap[at] = last;
    return first;
  }

  /** The child of `at` that has to move above `timer`, if any. */
  #earlierChild(at: number, timer: Timer): { at: number; timer: Timer } | null {
    const leftAt = 2 * at + 1;
    const left = this.#heap[leftAt];
    const right = this.#heap[leftAt + 1];
    if (left === undefined) return null;
    const child =
      right !== undefined && comesBefore(right, left) ? { at: leftAt + 1, timer: right } : { at: leftAt, timer: left };
    return comesBefore(child.timer, timer) ? child : null;
  }
}

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  /** `null`: cancelled. */
  fire: (() => void) | null;
}

function comesBefore(one: Timer, other: Timer): boolean {
  return one.dueMs !== other.dueMs ? one.dueMs < other.dueMs : one.order < other.order;
}
