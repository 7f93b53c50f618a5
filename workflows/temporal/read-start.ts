/**
 * The argument of a run as it arrives: anybody may start a workflow of our types by hand, with anything.
 *
 * What it is not: validation. It holds what a run cannot even say of itself that it failed without.
 */
import { ApplicationFailure } from '@temporalio/workflow';
import { Undecodable } from '../undecodable.ts';
import type { WireStart } from './wire.ts';

/** @throws ApplicationFailure `INPUT_INVALID`: by it the run ends in Temporal; it has no records */
export function readStart(value: unknown): WireStart {
  if (value instanceof Undecodable) throw refused(`its argument cannot be decoded: ${value.reason}`);
  const start = fields(value);
  const definition = fields(start['definition']);
  const run = fields(start['run']);
  const named = [definition['id'], definition['hash'], run['id'], run['tenant'], fields(run['initiator'])['id']];
  if (!named.every((name) => typeof name === 'string')) throw refused('its argument names no definition and no run');
  return value as WireStart;
}

function fields(value: unknown): { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [field: string]: unknown }) : {};
}

function refused(why: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `This is no start of a run: ${why}. Start runs with \`fermata runs start\` or the client`,
    'INPUT_INVALID',
  );
}
