/**
 * Reads an event at the door, by the strict rules of CloudEvents 1.0 and of our limits.
 *
 * Invariant: nothing is stored, matched or started of an event that breaks a rule.
 */
import { randomUUID } from 'node:crypto';
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { forgedText } from '../definitions/json/kept-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import { jsonBytes, utf8Length } from '../definitions/json/size.ts';
import { isoTime, parseTimestamp } from '../definitions/timestamps.ts';
import type { CloudEvent, Json, JsonObject } from '../definitions/types.ts';

/** An event to publish. */
export interface NewEvent {
  /** Unique in the tenant; the same id again is the same event. Default: a random one. */
  readonly id?: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string;
  /** RFC 3339. Default: now. */
  readonly time?: string;
  readonly data?: Json;
  /** Of CloudEvents; `1.0`. */
  readonly specversion?: string;
  /** Of CloudEvents; JSON. */
  readonly datacontenttype?: string;
}

const FIELDS = new Set(['id', 'type', 'source', 'subject', 'time', 'data', 'specversion', 'datacontenttype']);

/** @throws FermataError `event.invalid` with `details.path`, `input.too_large` */
export function readEvent(value: unknown, nowMs: number): { readonly event: CloudEvent; readonly timeGiven: boolean } {
  const fields = readFields(value);
  const unknown = Object.keys(fields).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) {
    throw invalid(
      unknown,
      `the field ${JSON.stringify(unknown.slice(0, 80))} is unknown; what is your own belongs in data`,
    );
  }
  if ((fields['specversion'] ?? '1.0') !== '1.0') throw invalid('specversion', 'specversion must be "1.0"');
  const contentType = fields['datacontenttype'] ?? 'application/json';
  if (typeof contentType !== 'string' || !/^application\/([\w.+-]+\+)?json\b/i.test(contentType)) {
    throw invalid('datacontenttype', 'data must be JSON: datacontenttype "application/json", or none');
  }
  const { time } = fields;
  const subject = optionalText(fields, 'subject', LIMITS.eventTextBytes);
  return {
    event: {
      id: optionalText(fields, 'id', LIMITS.idBytes) ?? randomUUID(),
      type: text(fields, 'type', LIMITS.idBytes),
      source: text(fields, 'source', LIMITS.eventTextBytes),
      ...(subject === undefined ? {} : { subject }),
      time: time === undefined ? isoTime(nowMs) : timestamp(time),
      data: readData(fields['data'] ?? null),
    },
    timeGiven: time !== undefined,
  };
}

function readFields(value: unknown): JsonObject {
  let json: Json;
  try {
    json = toJson(value);
  } catch (error) {
    if (!isFermataError(error)) throw error;
    throw new FermataError('event.invalid', `the event is no JSON that is taken: ${error.message}`, error.details);
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as JsonObject;
  throw new FermataError('event.invalid', 'an event is an object { type, source, data }', { path: '' });
}

function readData(data: Json): Json {
  const bytes = jsonBytes(data);
  const forged = bytes <= LIMITS.inputBytes ? forgedText(data) : null;
  if (forged !== null) throw invalid('data', forged);
  if (bytes <= LIMITS.inputBytes) return data;
  const message = `the event's data has ${bytes} bytes; the limit is ${LIMITS.inputBytes}. Keep it elsewhere and pass a reference to it`;
  throw new FermataError('input.too_large', message, { bytes, limit: LIMITS.inputBytes });
}

function text(fields: JsonObject, field: string, maxBytes: number): string {
  const value = fields[field];
  if (typeof value !== 'string' || value === '') {
    throw invalid(field, `${field} must be a text that is not empty`);
  }
  if (utf8Length(value) > maxBytes) throw invalid(field, `${field} has more than ${maxBytes} bytes`);
  return value;
}

function optionalText(fields: JsonObject, field: string, maxBytes: number): string | undefined {
  return fields[field] === undefined ? undefined : text(fields, field, maxBytes);
}

function timestamp(time: Json): string {
  if (typeof time === 'string' && parseTimestamp(time) !== null) return time;
  throw invalid('time', 'time must be an RFC 3339 timestamp with an offset, such as 2027-01-01T00:00:00Z');
}

function invalid(field: string, message: string): FermataError {
  return new FermataError('event.invalid', `${message} (at /${field})`, { path: `/${field}` });
}
