/**
 * What a failed call of Temporal means to a caller.
 */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';

/** Numbers of gRPC's status codes. */
const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

const UNREACHABLE = new Set([CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE]);

/** The error to throw for what a call threw; what is no failure of a call passes unchanged. */
export function toTemporalError(error: unknown, address: string): unknown {
  if (isFermataError(error)) return error;
  const code = grpcCode(error);
  if (code === null) return error;
  const reason = reasonOf(error);
  if (UNREACHABLE.has(code)) return temporalUnavailable(address, error);
  const denied = code === PERMISSION_DENIED || code === UNAUTHENTICATED ? ' Check TEMPORAL_API_KEY and TLS.' : '';
  const message = `Temporal at ${address} refused the request: ${reason}.${denied}`;
  return new FermataError('temporal.rejected', message, { address, reason, grpcCode: code }, { cause: error });
}

/** @param tried how long, for the message: `within 8 s` */
export function temporalUnavailable(address: string, error: unknown, tried = ''): FermataError {
  const reason = reasonOf(error);
  const what = tried === '' ? 'cannot be used' : `cannot be reached ${tried}`;
  const message = `Temporal at ${address} ${what}: ${reason}. Check that it runs and that TEMPORAL_ADDRESS is right; \`fermata dev\` starts one`;
  return new FermataError('temporal.unavailable', message, { address, reason }, { cause: error });
}

export function isTemporalUnavailable(error: unknown): error is FermataError {
  return isFermataError(error) && error.code === 'temporal.unavailable';
}

/** Whether the caller's own deadline passed. The connection of a worker words it as a call that was cancelled. */
export function isDeadline(error: unknown): boolean {
  const code = grpcCode(error);
  return code === DEADLINE_EXCEEDED || (code === CANCELLED && reasonOf(error) === 'Timeout expired');
}

/** Whether nobody answered at the address, as against an answer that was late. */
export function isUnreachable(error: unknown): boolean {
  return grpcCode(error) === UNAVAILABLE;
}

/** The gRPC status of a failed call, or `null`. */
export function grpcCode(error: unknown): number | null {
  if (isGrpcServiceError(error)) return error.code;
  if (error instanceof ServiceError && error.cause !== undefined) return grpcCode(error.cause);
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown };
  return error instanceof Error && typeof code === 'number' ? code : null;
}

function reasonOf(error: unknown): string {
  const inner = error instanceof ServiceError && error.cause !== undefined ? error.cause : error;
  const { details, message } = inner as { details?: unknown; message?: unknown };
  if (typeof details === 'string' && details !== '') return details;
  return typeof message === 'string' && message !== '' ? message : String(inner);
}
