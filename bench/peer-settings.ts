/** What passes between the bench and its worker processes. */

export interface PeerSettings {
  /** `fermata-untracked`: the interpreter without its records being written. */
  readonly kind: 'hand-written' | 'fermata' | 'fermata-untracked';
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  /** File with the workflow bundle. */
  readonly bundle: string;
  readonly databaseUrl: string;
  /** Worker options: the SDK's, or those that Fermata ships. */
  readonly tuning: 'stock' | 'shipped';
}

/** To the worker process. `cpu` waits for records on their way first. */
export type Request = 'cpu' | 'stop';

/** From the worker process. */
export type Answer = { readonly kind: 'ready' } | { readonly kind: 'cpu'; readonly ms: number };
