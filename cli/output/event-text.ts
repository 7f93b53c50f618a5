/**
 * What an event started, for people: one line per definition that listens to its type.
 */
import type { PublishedEvent } from '../../client/index.ts';
import { type Paint, plain } from './paint.ts';
import { errorInfoText } from './run-text.ts';

/** @param type of the event as JSON, which the answer does not repeat */
export function publishedEventText(paint: Paint, type: string, event: PublishedEvent): string {
  const { eventId, created, runs, began, pending, notMatched } = event;
  const known = created ? '' : paint.dim(' (was published before)');
  const lines = [
    `event ${paint.bold(plain(eventId))}${known}`,
    ...runs.map((run) => runLine(paint, run, began)),
    ...notMatched.map(
      ({ definitionId, reason }) => `  ${paint.dim('–')} ${plain(`${definitionId}: ${reason.message}`)}`,
    ),
  ];
  if (lines.length === 1) {
    lines.push(
      paint.yellow(
        plain(`  no enabled definition listens to ${type}; \`fermata definitions list\` shows which there are`),
      ),
    );
  }
  if (pending !== undefined) lines.push(paint.yellow(plain(pending.message)));
  const remedies = runs.flatMap(({ error }) => (error === undefined ? [] : [error.remedy]));
  lines.push(...remedies.map((remedy) => `${paint.dim('what to do:')} ${plain(remedy)}`));
  return lines.join('\n');
}

function runLine(paint: Paint, run: PublishedEvent['runs'][number], began: readonly string[]): string {
  const definition = `${plain(run.definitionId)} version ${run.version}`;
  if (run.runId === null) {
    const why = run.error === undefined ? '' : `: ${errorInfoText(run.error)} ${paint.dim(`(${run.error.code})`)}`;
    return `  ${paint.red('✗')} ${definition} did not start${why}`;
  }
  const id = paint.bold(plain(run.runId));
  if (run.status === 'pending') return `  ${paint.yellow('…')} ${definition} is accepted; ${id} begins later`;
  const how = began.includes(run.runId) ? 'started' : 'had started';
  return `  ${paint.green('✓')} ${definition} ${how} ${id}`;
}
