/**
 * A start that is refused for good, as the error by which a run, or the answer to an event, tells of it.
 */
import type { ErrorInfo } from './errors.ts';
import type { FermataError } from './fermata-error.ts';

/** `INPUT_INVALID` and `PAYLOAD_TOO_LARGE` are the language's own; other types are the code, `DEFINITION_NOT_FOUND`. */
export function startRefusal({ code, message, details }: FermataError): ErrorInfo {
  return { type: typeOf(code), message, nodeId: null, ...(details === null ? {} : { details }) };
}

function typeOf(code: FermataError['code']): string {
  if (code === 'run.input_invalid' || code === 'value.not_found') return 'INPUT_INVALID';
  if (code === 'input.too_large' || code === 'value.too_large') return 'PAYLOAD_TOO_LARGE';
  return code.replace('.', '_').toUpperCase();
}
