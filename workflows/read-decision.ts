/**
 * Reads what comes for approvals through doors that anybody may write to: decisions, and requests about tasks.
 *
 * What it is: their form. What it is not: whether they count; that is `approvals.ts` and `task-requests.ts`.
 *
 * Invariant: what is refused here is kept nowhere, so a huge or bottomless value costs neither the run nor its records
 * anything.
 */
import { excerpt } from '../definitions/excerpt.ts';
import { isFermataError } from '../definitions/fermata-error.ts';
import type { SchemaMismatch } from '../definitions/json/json-schema.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { forgedText } from '../definitions/json/kept-value.ts';
import { jsonBytes, utf8Length } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Decision, Person, TaskAddress, TaskRequest } from '../definitions/records.ts';
import type { DoorDelivery } from '../definitions/wire.ts';
import type { Json } from '../definitions/types.ts';
import { Undecodable } from './undecodable.ts';

export type RefusalCode =
  | 'malformed'
  | 'not_open'
  | 'too_late'
  | 'wrong_visit'
  | 'ambiguous'
  | 'unknown_outcome'
  | 'not_assignee'
  | 'excluded'
  | 'delegated'
  | 'already_voted'
  | 'claimed'
  | 'not_claimed'
  | 'subject_changed'
  | 'invalid_form'
  | 'too_large';

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  /** Of `invalid_form`: what does not fit, each with its JSON pointer into the data. */
  readonly mismatches?: readonly SchemaMismatch[];
}

type Fields = { readonly [field: string]: unknown };

const DECISION_FIELDS = ['nodeId', 'visit', 'path', 'outcome', 'by', 'data', 'comment', 'subject', 'at'];
const REQUEST_FIELDS = ['nodeId', 'visit', 'path', 'action', 'by', 'to', 'comment', 'at'];
const ACTIONS: readonly unknown[] = ['claim', 'release', 'delegate', 'comment'] satisfies TaskRequest['action'][];

/** A decision, or what is wrong with it. */
export function readDecision(value: unknown): Decision | Refusal {
  const read = readMessage(value, {
    what: 'A decision',
    form: '{ nodeId, outcome, by: { id } }',
    known: DECISION_FIELDS,
  });
  if (isRefusal(read)) return read;
  const { outcome, data, subject } = read.fields;
  if (typeof outcome !== 'string') return malformed('outcome must be text such as "approved"');
  if (!isShort(outcome)) return tooLong('outcome');
  if (!isOptionalText(subject)) return malformed('subject must be text');
  return {
    ...read.common,
    outcome,
    ...(data === undefined ? {} : { data: data as Json }),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** A request about a task, or what is wrong with it. */
export function readTaskRequest(value: unknown): TaskRequest | Refusal {
  const read = readMessage(value, { what: 'A request', form: '{ nodeId, action, by: { id } }', known: REQUEST_FIELDS });
  if (isRefusal(read)) return read;
  const { action, to } = read.fields;
  if (!ACTIONS.includes(action)) return malformed(`action must be one of ${ACTIONS.join(', ')}`);
  if ((action === 'delegate') !== (to !== undefined)) return malformed('to belongs to delegate: the id of a person');
  if (to !== undefined && (typeof to !== 'string' || to === '')) return malformed('to must be the id of a person');
  if (to !== undefined && !isShort(to)) return tooLong('to');
  if (action === 'comment' && !read.common.comment) return malformed('comment must say something');
  return { ...read.common, action: action as TaskRequest['action'], ...(to === undefined ? {} : { to }) };
}

/** Whether reading gave a refusal. */
export function isRefusal(value: object): value is Refusal {
  return 'code' in value;
}

/** Where a message came in; `otherwise`: how Temporal brought it. */
export function readDoor(delivery: unknown, otherwise: 'update' | 'signal'): string {
  const { door } = Object(delivery) as { readonly [Field in keyof DoorDelivery]: unknown };
  return typeof door === 'string' && door !== '' ? excerpt(door, 80) : otherwise;
}

/** What can be read of a malformed message, for the audit. */
export function legible(value: unknown): { readonly nodeId: string; readonly outcome: string; readonly by: Person } {
  const { nodeId, outcome, by } = Object(value) as Fields;
  return { nodeId: text(nodeId), outcome: text(outcome), by: { id: text((Object(by) as Fields)['id']) } };
}

function text(value: unknown): string {
  return typeof value === 'string' ? excerpt(value, 80) : 'unreadable';
}

interface Form {
  readonly what: string;
  readonly form: string;
  readonly known: readonly string[];
}

/** What decisions and requests have alike. */
type Common = TaskAddress & { readonly by: Person; readonly comment?: string; readonly at?: string };

function readMessage(value: unknown, form: Form): { readonly fields: Fields; readonly common: Common } | Refusal {
  if (value instanceof Undecodable) return malformed(`${form.what} cannot be decoded: ${value.reason}`);
  const unfit = jsonRefusal(value, form.what);
  if (unfit) return unfit;
  if (!isObject(value)) return malformed(`${form.what} is an object ${form.form}`);
  const unknown = Object.keys(value).find((key) => !form.known.includes(key));
  if (unknown !== undefined) return malformed(`The field ${excerpt(unknown, 80)} is unknown`);
  const address = readAddress(value);
  if (isRefusal(address)) return address;
  const by = readBy(value['by']);
  if (isRefusal(by)) return by;
  const { comment, at } = value;
  if (!isOptionalText(comment)) return malformed('comment must be text');
  if (!isOptionalText(at)) return malformed('at must be text');
  const said = { ...(comment === undefined ? {} : { comment }), ...(at === undefined ? {} : { at }) };
  return { fields: value, common: { ...address, by, ...said } };
}

function readAddress({ nodeId, visit, path }: Fields): TaskAddress | Refusal {
  if (typeof nodeId !== 'string') return malformed('nodeId must be the id of an approval node');
  if (!isShort(nodeId)) return tooLong('nodeId');
  if (visit !== undefined && !(Number.isInteger(visit) && (visit as number) > 0))
    return malformed('visit must be a whole number from 1');
  if (!isOptionalText(path)) return malformed('path must be text such as "left/" or "each[2]/"');
  if (path !== undefined && !isShort(path)) return tooLong('path');
  const whole = path === undefined || path === '' || path.endsWith('/') ? path : `${path}/`;
  return {
    nodeId,
    ...(visit === undefined ? {} : { visit: visit as number }),
    ...(whole === undefined ? {} : { path: whole }),
  };
}

function readBy(by: unknown): Person | Refusal {
  if (!isObject(by) || typeof by['id'] !== 'string' || by['id'] === '') return malformed('by.id must name who it is');
  const { id, roles } = by;
  if (!isShort(id)) return tooLong('by.id');
  if (roles === undefined) return { id };
  const areTexts = Array.isArray(roles) && roles.every((role) => typeof role === 'string');
  return areTexts ? { id, roles } : malformed('by.roles must be a list of texts');
}

/** Why `value` is no JSON that is taken from outside, or `null`. */
function jsonRefusal(value: unknown, what: string): Refusal | null {
  try {
    const json = toJson(value);
    const forged = forgedText(json);
    if (forged !== null) return malformed(`${what} is refused: ${forged}`);
    const bytes = jsonBytes(json);
    if (bytes <= LIMITS.inputBytes) return null;
    return { code: 'too_large', message: `${what} has at most ${LIMITS.inputBytes} bytes; this one has ${bytes}` };
  } catch (error) {
    if (!isFermataError(error)) throw error;
    return malformed(`${what} is no JSON that is taken: ${error.message}`);
  }
}

function malformed(message: string): Refusal {
  return { code: 'malformed', message };
}

function tooLong(field: string): Refusal {
  return malformed(`${field} has more than ${LIMITS.idBytes} bytes`);
}

function isShort(id: string): boolean {
  return utf8Length(id) <= LIMITS.idBytes;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
