/**
 * Failures to find, start or prepare a server, with a stable code and the remedy in the message.
 */

export type ServerErrorCode =
  /** An address that was given does not answer. */
  | 'server.unreachable'
  /** No server program was found and none could be installed. */
  | 'server.not_found'
  /** A server program was found but did not come up. */
  | 'server.start_failed'
  /** The servers of this project are in the hands of another process. */
  | 'server.busy'
  /** The search attributes are missing and may not be registered with these credentials. */
  | 'server.search_attributes';

export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Text of whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
