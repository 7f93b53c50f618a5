/**
 * Redaction: what a definition's `redact` names is hidden in everything that a run tells about itself.
 *
 * What it is: masking by value. The values that stand at the paths now are masked wherever they turn up: in payloads,
 * results, messages, outputs, variables.
 * What it is not: encryption. Handlers and expressions see the values, and Temporal's history holds them.
 *
 * Invariants:
 * 1. Names of the definition (node ids, types, states, outcomes) are never masked.
 * 2. A definition without `redact` pays nothing.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { stringify } from '../definitions/intrinsics.ts';
import { valueAt } from '../definitions/json/path.ts';
import { MASK } from '../definitions/mask.ts';
import type { ApprovalTask, EventWait, RunRecord, TaskRecord, Waiting } from '../definitions/records.ts';
import type { Json } from '../definitions/types.ts';
import type { Ending, Frame, NodeResult } from './checkpoint.ts';
import type { RunContext } from './context.ts';
import { framesIn } from './frames.ts';

/** Values of ended scopes that one run remembers; beyond it the oldest are forgotten. */
const MAX_HIDDEN = 1000;

/** Texts shorter than this are masked only where they are the whole text, or half of every message would go. */
const SHORTEST_PART = 4;

/** A line of the run's story without what is to be hidden. */
export function redactRecord(run: RunContext, line: RunRecord): RunRecord {
  const mask = maskOf(run, line);
  if (mask === null) return line;
  switch (line.kind) {
    case 'state':
      return { ...line, ...masked(mask, line, ['output', 'vars']), ...maskedError(mask, line) };
    case 'visit':
      return { ...line, ...maskedError(mask, line) };
    case 'command':
      return { ...line, ...masked(mask, line, ['payload', 'result']), ...maskedError(mask, line) };
    case 'wait':
      return { ...line, waiting: maskWaiting(mask, line.waiting) };
    case 'decision':
      return { ...line, ...masked(mask, line, ['data', 'comment']), ...maskedRefusal(mask, line) };
    case 'task':
      return { ...line, ...masked(mask, line, ['comment']), ...maskedRefusal(mask, line) };
    case 'emit':
      return { ...line, emitted: { ...line.emitted, ...masked(mask, line.emitted, ['subject', 'data']) } };
  }
}

/** A value that the run shows, without what is to be hidden; node ids and the like must not stand in it. */
export function redact<Value>(run: RunContext, value: Value): Value {
  const mask = maskOf(run);
  return mask === null ? value : mask(value);
}

/** The end of the run or the result of a node, likewise. */
export function redactResult<Result extends Ending | NodeResult>(run: RunContext, result: Result): Result {
  const mask = maskOf(run);
  return mask === null ? result : { ...result, output: mask(result.output), ...maskedError(mask, result) };
}

/** What the run waits for, likewise. */
export function redactWaiting(run: RunContext, waiting: Waiting): Waiting {
  const mask = maskOf(run);
  return mask === null ? waiting : maskWaiting(mask, waiting);
}

type Mask = <Value>(value: Value) => Value;

function maskWaiting(mask: Mask, waiting: Waiting): Waiting {
  const { task, event } = waiting;
  return {
    ...waiting,
    for: mask(waiting.for),
    ...(task
      ? { task: { ...task, ...masked(mask, task, ['title', 'description']), ...maskedSubject(mask, task) } }
      : {}),
    ...(event ? { event: { ...event, correlation: mask(event.correlation), missed: maskMissed(mask, event) } } : {}),
  };
}

function maskMissed(mask: Mask, { missed }: EventWait): EventWait['missed'] {
  return missed.map((one) => ({ ...one, message: mask(one.message) }));
}

/** Its hash stays: without it nobody could name what they have seen. */
function maskedSubject(mask: Mask, { subject }: ApprovalTask): Pick<ApprovalTask, 'subject'> {
  return subject ? { subject: { ...subject, value: mask(subject.value) } } : {};
}

/** Its message may tell of the data. */
function maskedRefusal<Line extends Pick<TaskRecord, 'refusal'>>(mask: Mask, { refusal }: Line): Pick<Line, 'refusal'> {
  return { refusal: refusal && { ...refusal, message: mask(refusal.message) } };
}

function maskedError(mask: Mask, { error }: { readonly error?: ErrorInfo | null }): { error?: ErrorInfo | null } {
  return error ? { error: maskError(mask, error) } : {};
}

function maskError(mask: Mask, error: ErrorInfo): ErrorInfo {
  const cause = error.cause ? { cause: maskError(mask, error.cause) } : {};
  return { ...error, ...masked(mask, error, ['message', 'details']), ...cause };
}

function masked<Line extends object>(mask: Mask, line: Line, fields: readonly (keyof Line)[]): Partial<Line> {
  const present = fields.filter((field) => line[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, mask(line[field])])) as Partial<Line>;
}

/** `line`: a result that is told before it stands under `nodes` counts already. */
function maskOf(run: RunContext, line?: RunRecord): Mask | null {
  const { redact: paths } = run.compiled;
  if (paths.length === 0) return null;
  const { event, input } = run.start;
  const told = line?.kind === 'command' && line.undoes === null ? { [line.nodeId]: { output: line.result } } : {};
  const hidden = [...(run.checkpoint.hidden ?? []), ...hiddenIn(paths, { event, input, nodes: told })];
  for (const { vars, nodes } of framesIn(run.checkpoint.frame)) hidden.push(...hiddenIn(paths, { vars, nodes }));
  return <Value>(value: Value) => hide(value as Json | undefined, hidden) as Value;
}

type Scalar = string | number;

/** What stands at the paths in a scope that ends is hidden for the rest of the run: it may have left with an output. */
export function rememberHidden(run: RunContext, { vars, nodes }: Frame): void {
  const { redact: paths } = run.compiled;
  if (paths.length === 0) return;
  const { hidden = [] } = run.checkpoint;
  const known = new Set([...hidden, ...hiddenIn(paths, { vars, nodes })]);
  run.checkpoint.hidden = [...known].slice(-MAX_HIDDEN);
}

function hiddenIn(paths: readonly (readonly string[])[], names: object): Scalar[] {
  const hidden: Scalar[] = [];
  for (const path of paths) collect(valueAt(names as Json, path), hidden);
  return hidden;
}

function collect(value: Json | undefined, hidden: Scalar[]): void {
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) hidden.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collect(member, hidden);
}

function hide(value: Json | undefined, hidden: readonly Scalar[]): Json | undefined {
  if (typeof value === 'string') return hideInText(value, hidden);
  if (typeof value === 'number') return hidden.includes(value) ? MASK : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => hide(item, hidden) as Json);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hide(member, hidden) as Json]));
}

function hideInText(text: string, hidden: readonly Scalar[]): string {
  let shown = text;
  for (const scalar of hidden) {
    const secret = String(scalar);
    if (text === secret) return MASK;
    if (secret.length < SHORTEST_PART) continue;
    // In messages values stand as JSON, with quotes and the like escaped.
    shown = shown.replaceAll(secret, MASK).replaceAll(stringify(secret).slice(1, -1), MASK);
  }
  return shown;
}
