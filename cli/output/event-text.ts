/**
 * What an event started and woke, for people: one line per definition that listens to its type, and per waiting run.
 */
import type { EventExplanation, ExplainedDefinition, PublishedEvent, WaitingRun } from '../../client/index.ts';
import { type Paint, plain } from './paint.ts';
import { errorInfoText } from './run-text.ts';

/** @param type of the event as JSON, which the answer does not repeat */
export function publishedEventText(paint: Paint, type: string, event: PublishedEvent): string {
  const { eventId, created, runs, began, pending, notMatched, waits } = event;
  const known = created ? '' : paint.dim(' (was published before)');
  const lines = [
    `event ${paint.bold(plain(eventId))}${known}`,
    ...runs.map((run) => runLine(paint, run, began)),
    ...notMatched.map(
      ({ definitionId, reason }) => `  ${paint.dim('–')} ${plain(`${definitionId}: ${reason.message}`)}`,
    ),
    ...waits.map((wait) => waitLine(paint, wait)),
  ];
  if (lines.length === 1) {
    lines.push(
      paint.yellow(
        plain(
          `  no enabled definition listens to ${type}, and no run waits for it; \`fermata definitions list\` shows which there are`,
        ),
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
  if (run.status === 'queued') return `  ${paint.yellow('…')} ${definition} has ${id} wait for its key`;
  if (run.status === 'joined') return `  ${paint.green('✓')} ${definition} joined ${id}, which has its key`;
  const how = began.includes(run.runId) ? 'started' : 'had started';
  return `  ${paint.green('✓')} ${definition} ${how} ${id}`;
}

export function explanationText(paint: Paint, { event, definitions, waits }: EventExplanation): string {
  const { id, type, source, acceptedAt } = event;
  const lines = [
    `event ${paint.bold(plain(id))}  ${plain(type)} ${paint.dim(plain(`from ${source}, accepted ${acceptedAt}`))}`,
    ...definitions.map((definition) => definitionLine(paint, definition)),
    ...waits.map((wait) => waitLine(paint, wait)),
  ];
  if (lines.length === 1) {
    lines.push(paint.yellow('  no enabled definition listened to its type when it came, and no run waits for it'));
  }
  return lines.join('\n');
}

function definitionLine(paint: Paint, definition: ExplainedDefinition): string {
  const { definitionId, version, status, runId, error, reason } = definition;
  const name = `${plain(definitionId)} version ${version}`;
  if (status === 'not_matched') return `  ${paint.dim('–')} ${name}: ${plain(reason?.message ?? '')}`;
  if (runId === null) return `  ${paint.red('✗')} ${name} did not start${error ? `: ${errorInfoText(error)}` : ''}`;
  return `  ${paint.green('✓')} ${name} ${status} ${paint.bold(plain(runId))}`;
}

const WAIT_WORDS: { readonly [status in WaitingRun['status']]: string } = {
  taken: 'took it',
  delivered: 'was told of it',
  pending: 'will be told of it',
  ended: 'was over before it could be told',
  missed: 'does not take it',
};

function waitLine(paint: Paint, { runId, nodeId, status, reason }: WaitingRun): string {
  const mark = status === 'missed' || status === 'ended' ? paint.dim('–') : paint.green('✓');
  const why = reason === undefined ? '' : `: ${plain(reason.message)}`;
  return `  ${mark} ${paint.bold(plain(runId))} at ${plain(nodeId)} ${WAIT_WORDS[status]}${why}`;
}
