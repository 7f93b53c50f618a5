/**
 * What a simulated effect rejects with: an error of the language, carried as it is.
 */
import type { ErrorInfo } from '../definitions/errors.ts';

export class SimulatedFailure extends Error {
  override readonly name = 'SimulatedFailure';
  readonly info: ErrorInfo;

  constructor(info: ErrorInfo) {
    super(`${info.type}: ${info.message}`);
    this.info = info;
  }
}

/** The failure of an effect whose scope was cancelled. */
export function cancelled(what: string, nodeId: string | null): SimulatedFailure {
  return new SimulatedFailure({ type: 'CANCELLED', message: `${what} was cancelled`, nodeId });
}
