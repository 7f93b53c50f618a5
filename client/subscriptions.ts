/**
 * What the definitions of one tenant listen to, in memory, and how current that is.
 *
 * What it is not: where "current" is decided. Accepting an event asks the store whether anything changed since
 * `revision`, so a definition that was published before an event, in whatever process, is never missed; hearing of
 * changes only makes that the second answer is rarely needed.
 *
 * Invariants:
 * 1. Everything up to `revision` is in the index, and nothing is half in it.
 * 2. One read is under way at a time; whoever asks meanwhile waits for one that began after the question.
 */
import { SubscriptionIndex } from '../definitions/matching/index.ts';
import { eventTriggers } from '../definitions/event-triggers.ts';
import type { EventTrigger } from '../definitions/types.ts';
import {
  type DefinitionChange,
  DEFINITIONS_CHANNEL,
  type Listener,
  type Store,
  type StoredVersion,
} from '../store/index.ts';

/** A version with its triggers for events, in the order of the index. */
export interface SubscribedVersion {
  readonly version: StoredVersion;
  readonly triggers: readonly EventTrigger[];
}

/** Versions kept whole; those that events start most. */
const MAX_VERSIONS = 500;

export class Subscriptions {
  readonly index = new SubscriptionIndex();
  readonly #store: Store;
  readonly #listens: boolean;
  readonly #versions = new Map<string, SubscribedVersion>();
  #revision = 0;
  #loaded = false;
  #listener: Listener | null = null;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  /** With `listens: false` it holds no connection, and is made current when accepting an event finds that it is not. */
  constructor(store: Store, { listens = true }: { readonly listens?: boolean } = {}) {
    this.#store = store;
    this.#listens = listens;
  }

  /** Of the last change that the index knows. */
  get revision(): number {
    return this.#revision;
  }

  /** The first call reads all; then it is kept current as changes are heard of. */
  async load(): Promise<void> {
    if (this.#loaded) return;
    await this.refresh();
    this.#loaded = true;
    if (this.#listens) this.#listener ??= this.#listen();
  }

  /** Reads what changed until this call, at least. */
  async refresh(): Promise<void> {
    this.#next ??= this.#readNext();
    await this.#next;
  }

  /** A version that the index named. */
  async version(definitionId: string, version: number): Promise<SubscribedVersion> {
    const key = `${definitionId}@${version}`;
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const stored = await this.#store.definitions.get(definitionId, version);
    const found = { version: stored, triggers: eventTriggers(stored.document) };
    if (this.#versions.size >= MAX_VERSIONS) this.#versions.delete(this.#versions.keys().next().value ?? key);
    this.#versions.set(key, found);
    return found;
  }

  async close(): Promise<void> {
    await this.#listener?.close();
    await this.#reading.catch(() => undefined);
  }

  async #readNext(): Promise<void> {
    await this.#reading.catch(() => undefined);
    this.#next = null;
    this.#reading = this.#read();
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (;;) {
      const changes = await this.#store.definitions.changes(this.#revision);
      const last = changes.at(-1);
      if (last === undefined) return;
      for (const { definitionId, subscription } of changes) {
        if (subscription === null) this.index.remove(this.#store.tenant, definitionId);
        else this.index.add(subscription);
        this.#forgetVersions(definitionId);
      }
      this.#revision = last.revision;
    }
  }

  /** A version never changes, but a handler that was unknown at its publishing may have become known. */
  #forgetVersions(definitionId: string): void {
    for (const [key, { version }] of this.#versions) if (version.id === definitionId) this.#versions.delete(key);
  }

  #listen(): Listener {
    const refresh = () => void this.refresh().catch(() => undefined);
    const onMessage = (payload: string) => {
      const { tenant } = JSON.parse(payload) as DefinitionChange;
      if (tenant === this.#store.tenant) refresh();
    };
    return this.#store.listen(DEFINITIONS_CHANNEL, onMessage, { onConnect: refresh });
  }
}
