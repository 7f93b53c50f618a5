/**
 * What a run did between two looks at it, one line each.
 */
import type { RunDocument } from '../../definitions/index.ts';
import { type Paint, plain } from './paint.ts';
import { errorInfoText } from './run-text.ts';
import { timeText } from './times.ts';

type Visit = RunDocument['trace'][number];

/** @param before `null`: everything is new */
export function changeLines(paint: Paint, before: RunDocument | null, after: RunDocument): readonly string[] {
  const ended = after.trace
    .map((visit, index) => ({ visit, seen: before?.trace[index] }))
    .filter(({ visit, seen }) => visit.outcome !== null && (seen?.outcome ?? null) === null)
    .map(({ visit }) => visitLine(paint, visit));
  const known = new Set(before?.waiting.map(waitKey));
  const waits = after.waiting.filter((wait) => !known.has(waitKey(wait))).map((wait) => waitLine(paint, wait));
  return [...ended, ...waits];
}

function visitLine(paint: Paint, visit: Visit): string {
  const place = `${visit.path}${visit.nodeId}`;
  const how = visit.error === null ? plain(visit.outcome ?? '') : paint.red(errorInfoText(visit.error));
  return `${paint.dim(timeText(visit.finishedAt))}  ${plain(place)}  ${how}`;
}

function waitLine(paint: Paint, { since, nodeId, until, for: what }: RunDocument['waiting'][number]): string {
  const end = until === null ? '' : `, until ${timeText(until)}`;
  const place = nodeId === '' ? '(start)' : plain(nodeId);
  return `${paint.dim(timeText(since))}  ${place}  ${paint.yellow(`waits for ${plain(what)}${end}`)}`;
}

function waitKey({ nodeId, since }: RunDocument['waiting'][number]): string {
  return `${nodeId} ${since}`;
}
