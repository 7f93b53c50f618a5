/**
 * A run document for people.
 */
import type { ErrorInfo, Json, RunDocument } from '../../definitions/index.ts';
import { type Paint, paintState, plain } from './paint.ts';
import { fieldsText, tableText } from './table.ts';
import { spanBetween, timeText } from './times.ts';

/** Longest text of one value in a table, in characters. */
const CELL = 60;

export function runText(paint: Paint, run: RunDocument): string {
  const sections = [
    header(paint, run),
    trace(paint, run),
    commands(paint, run),
    emitted(paint, run),
    waiting(paint, run),
    audit(paint, run),
    children(paint, run),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function header(paint: Paint, run: RunDocument): string {
  const version = run.version === null ? '' : ` version ${run.version}`;
  const fields: [string, string][] = [
    ['run', paint.bold(plain(run.runId))],
    ['definition', `${plain(run.definitionId)}${version}`],
    ...(run.key === undefined ? [] : [['key', plain(run.key)] as [string, string]]),
    ...(run.parent === undefined ? [] : [['begun by', plain(run.parent)] as [string, string]]),
    ['state', paintState(paint, run.state)],
    ['started', timeText(run.startedAt)],
  ];
  if (run.completedAt !== null) {
    fields.push(['ended', `${timeText(run.completedAt)} (after ${spanBetween(run.startedAt, run.completedAt)})`]);
  }
  if (run.error !== null) fields.push(['error', paint.red(errorInfoText(run.error))]);
  if (run.output !== null) fields.push(['output', plain(JSON.stringify(run.output))]);
  if (Object.keys(run.vars).length > 0) fields.push(['vars', plain(JSON.stringify(run.vars))]);
  return fieldsText(paint, fields);
}

/** What a run came to: its output as JSON, its error, or that it still goes on. */
export function outcomeText(paint: Paint, run: RunDocument): string {
  if (run.state === 'completed') return plain(JSON.stringify(run.output, null, 2));
  const why = run.error === null ? '' : `: ${errorInfoText(run.error)}`;
  return `${paintState(paint, run.state)} ${plain(run.runId)}${why}`;
}

/** `TYPE at node: message, caused by …`. A cause that only says the same again is left out. */
export function errorInfoText(error: ErrorInfo): string {
  const { type, message, nodeId } = error;
  const at = nodeId === null ? '' : ` at ${nodeId}`;
  const cause = otherCause(error);
  const by = cause === null ? '' : `, caused by ${errorInfoText(cause)}`;
  return `${plain(`${type}${at}: ${message}`)}${by}`;
}

function otherCause({ type, message, cause }: ErrorInfo): ErrorInfo | null {
  let other = cause ?? null;
  while (other !== null && other.type === type && (type === 'CANCELLED' || other.message === message)) {
    other = other.cause ?? null;
  }
  return other;
}

function trace(paint: Paint, { trace: visits, startedAt }: RunDocument): string {
  if (visits.length === 0) return '';
  const faulty = visits.some(({ error }) => error !== null);
  const rows = visits.map((visit) => [
    `+${spanBetween(startedAt, visit.startedAt)}`,
    plain(`${visit.path}${visit.nodeId}`) + nth(visit.visit),
    visit.type,
    visit.outcome === null ? paint.cyan('under way') : outcome(paint, visit.outcome),
    spanBetween(visit.startedAt, visit.finishedAt),
    ...(faulty ? [visit.error === null ? '' : cut(errorInfoText(visit.error))] : []),
  ]);
  return tableText(paint, ['AT', 'NODE', 'TYPE', 'OUTCOME', 'TOOK', ...(faulty ? ['ERROR'] : [])], rows);
}

function outcome(paint: Paint, text: string): string {
  return text === 'error' ? paint.red(text) : plain(text);
}

function nth(visit: number): string {
  return visit === 1 ? '' : ` (visit ${visit})`;
}

function commands(paint: Paint, { commands: given }: RunDocument): string {
  if (given.length === 0) return '';
  const rows = given.map(({ nodeId, command, state, attempts, result, error, undoes }) => [
    plain(`${command.type}${undoes === undefined ? '' : ' (undo)'}`),
    plain(nodeId),
    paintState(paint, state),
    String(attempts),
    cut(plain(JSON.stringify(command.payload))),
    cut(error === null ? resultText(result) : errorInfoText(error)),
  ]);
  return tableText(paint, ['COMMAND', 'NODE', 'STATE', 'ATTEMPTS', 'PAYLOAD', 'RESULT'], rows);
}

function resultText(result: Json): string {
  return result === null ? '' : plain(JSON.stringify(result));
}

function emitted(paint: Paint, { emitted: events = [] }: RunDocument): string {
  if (events.length === 0) return '';
  const rows = events.map(({ type, nodeId, id, data }) => [
    plain(type),
    plain(nodeId),
    plain(id),
    cut(resultText(data)),
  ]);
  return tableText(paint, ['EMITTED', 'NODE', 'ID', 'DATA'], rows);
}

function audit(paint: Paint, { audit: lines = [] }: RunDocument): string {
  if (lines.length === 0) return '';
  const rows = lines.map(({ taskId, nodeId, action, outcome: said, by, to = [], at, refusal, comment }) => [
    timeText(at),
    plain(taskId ?? nodeId),
    plain(action === 'decide' ? (said ?? '') : action),
    by === null ? 'the run' : plain(by.id),
    plain(to.join(', ')),
    refusal === null ? cut(plain(comment ?? '')) : paint.red(cut(plain(`${refusal.code}: ${refusal.message}`))),
  ]);
  return tableText(paint, ['AT', 'TASK', 'WHAT', 'BY', 'TO', 'REMARK'], rows);
}

function waiting(paint: Paint, { waiting: waits }: RunDocument): string {
  if (waits.length === 0) return '';
  const rows = waits.map((wait) => [
    plain(wait.nodeId === '' ? '(start)' : wait.nodeId),
    wait.kind,
    timeText(wait.since),
    timeText(wait.until),
    plain(wait.for),
  ]);
  return tableText(paint, ['WAITS AT', 'KIND', 'SINCE', 'UNTIL', 'FOR'], rows);
}

function children(paint: Paint, { children: begun = [] }: RunDocument): string {
  if (begun.length === 0) return '';
  const rows = begun.map(({ nodeId, runId, definitionId, workflowType, version, state }) => [
    plain(nodeId),
    plain(runId),
    plain(`${definitionId ?? workflowType}${version === null ? '' : ` version ${version}`}`),
    state === null ? '' : paintState(paint, state),
  ]);
  return tableText(paint, ['BEGAN AT', 'RUN', 'OF', 'STATE'], rows);
}

function cut(text: string): string {
  return text.length <= CELL ? text : `${text.slice(0, CELL - 1)}…`;
}
