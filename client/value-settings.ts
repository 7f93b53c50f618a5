/**
 * Where values that are too large for a history are kept, and from which size on: the option `values`.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { ValueStore } from '../store/index.ts';

export interface ValueOptions {
  /**
   * Default: the PostgreSQL of the runs. One of your own has to be given to workers and clients alike, and keeps its
   * values as long as anybody may look at their runs.
   */
  readonly store?: ValueStore;
  /**
   * An output, or a member of one, with more bytes of JSON leaves the history, and expressions no longer see into it.
   * Default 64 KiB; from 1 KiB to 256 KiB.
   */
  readonly thresholdBytes?: number;
  /** Most of one output, and of one payload with all that is put into it. Default 16 MiB; from 256 KiB to 64 MiB. */
  readonly maxBytes?: number;
}

export interface ValueSettings {
  /** `null`: the PostgreSQL of the runs. */
  readonly store: ValueStore | null;
  readonly thresholdBytes: number;
  readonly maxBytes: number;
}

/** `null`: outputs beyond 256 KiB are refused. @throws FermataError `config.invalid` */
export function valueSettings(values: ValueOptions | false = {}): ValueSettings | null {
  if (values === false) return null;
  const { store = null, thresholdBytes = LIMITS.keptFromBytes, maxBytes = LIMITS.keptBytes } = values;
  check('thresholdBytes', thresholdBytes, { from: 1024, to: LIMITS.valueBytes });
  check('maxBytes', maxBytes, { from: LIMITS.valueBytes, to: LIMITS.mostKeptBytes });
  return { store, thresholdBytes, maxBytes };
}

function check(option: string, bytes: number, { from, to }: { readonly from: number; readonly to: number }): void {
  if (Number.isInteger(bytes) && bytes >= from && bytes <= to) return;
  const message = `option values.${option} is ${bytes}; it takes a whole number of bytes from ${from} to ${to}`;
  throw new FermataError('config.invalid', message, { option: `values.${option}` });
}
