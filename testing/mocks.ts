/**
 * Mocks: what the world answers to a simulated run.
 *
 * What it is: the documented shape, and the door through which a mocks document comes in.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import { parseJson } from '../definitions/json/json-reader.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { toPointer } from '../definitions/json/path.ts';
import type { Person, TaskAction } from '../definitions/records.ts';
import type { DurationText, Expression, Json } from '../definitions/types.ts';
import { parseYaml } from '../definitions/json/yaml-reader.ts';
import { mocksSchema, type PreparedMocks } from './mocks-schema.ts';

/**
 * A mocks document. `after` counts from the start of the run and defaults to nothing.
 *
 * @example
 * const mocks: Mocks = {
 *   commands: { charge: [{ error: { type: 'BUSY' }, takes: '2s' }, { output: { receipt: 7 } }] },
 *   decisions: [{ after: '1h', nodeId: 'approve', outcome: 'approved', by: { id: 'ann' } }],
 * };
 */
export interface Mocks {
  /** By command type. A command without a mock answers `{}`. An undo by `rollback` asks its command's own type. */
  readonly commands?: { readonly [type: string]: MockReply | readonly MockReply[] };
  /**
   * By definition id or workflow type: how runs end that `workflow` nodes begin, where their definition is not given. An
   * `error` is the cause of the node's `CHILD_FAILED`.
   */
  readonly workflows?: { readonly [name: string]: MockReply | readonly MockReply[] };
  /** Sent as signals: one that comes before its node is visited is kept for the visit. */
  readonly decisions?: readonly {
    readonly after?: DurationText;
    readonly nodeId: string;
    /** Default: the open visit. */
    readonly visit?: number;
    /** Branch or item, as the trace shows it. Default: the one that is open. */
    readonly path?: string;
    readonly outcome: string;
    readonly by: Person;
    readonly data?: Json;
    readonly comment?: string;
    readonly subject?: string;
  }[];
  /** What people do with an approval beside deciding it. */
  readonly tasks?: readonly {
    readonly after?: DurationText;
    readonly nodeId: string;
    readonly visit?: number;
    readonly path?: string;
    readonly action: TaskAction;
    readonly by: Person;
    /** Of `delegate`: the id of a person. */
    readonly to?: string;
    readonly comment?: string;
  }[];
  /** Events that are published while the run goes on. */
  readonly events?: readonly {
    readonly after?: DurationText;
    readonly type: string;
    readonly data?: Json;
    /** Default: `event-1`, `event-2`, … in the order of the list. */
    readonly id?: string;
    readonly subject?: string;
  }[];
  /** Requests to cancel the run. */
  readonly cancels?: readonly { readonly after?: DurationText; readonly reason?: string; readonly by?: string }[];
}

/**
 * One answer. A list is used up attempt by attempt, and its last entry repeats; if any entry has `when`, the first
 * whose `when` holds (or that has none) answers, `{}` if there is none, and nothing is used up.
 */
export interface MockReply {
  /** Over `payload`, `attempt` (of this command, from 1) and `visit` (of its node, from 1). */
  readonly when?: Expression;
  /** What the handler returns. Default `{}`. */
  readonly output?: Json;
  /** What it throws instead. `retryable` defaults to what a worker would say of the type, else `true`. */
  readonly error?: {
    readonly type: string;
    readonly message?: string;
    readonly retryable?: boolean;
    readonly details?: Json;
  };
  /** How long the attempt takes. Default: no time. */
  readonly takes?: DurationText;
}

/**
 * The mocks in a text, JSON or YAML, checked: what `simulate` takes.
 *
 * @throws FermataError `json.invalid` with `details` `{ path, line, column }` for what cannot be read, `mocks.invalid`
 * for what does not fit.
 */
export function parseMocks(text: string): Mocks {
  const document = /^\uFEFF?\s*\{/.test(text) ? parseJson(text) : parseYaml(text);
  prepareMocks(document);
  return document as Mocks;
}

/**
 * Reads a mocks document.
 *
 * @throws FermataError `mocks.invalid` with `details` `{ issues: [{ path, message }] }`, all at once; `path` is a JSON
 * pointer. `json.invalid` for what is no JSON at all.
 */
export function prepareMocks(document: unknown): PreparedMocks {
  const read = mocksSchema.safeParse(toJson(document));
  if (read.success) return read.data;
  const issues = read.error.issues.flatMap((issue) => {
    const keys = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code !== 'unrecognized_keys') return [{ path: toPointer(keys), message: issue.message }];
    return issue.keys.map((key) => ({ path: toPointer([...keys, key]), message: `Unknown field "${key}"` }));
  });
  const listed = issues.map(({ path, message }) => `${path || 'the top'}: ${message}`).join('; ');
  throw new FermataError('mocks.invalid', `The mocks are not valid. ${listed}`, { issues });
}
