/**
 * What `fermata dev` says when all is ready: where everything is, and what to do next.
 */
import { basename } from 'node:path';
import { TASK_QUEUE } from '../../definitions/wire.ts';
import type { DevDocument } from '../dev/start-dev.ts';
import { type Paint, plain } from './paint.ts';
import { fieldsText } from './table.ts';

/** @param called how the command is called here */
export function devText(paint: Paint, called: string, document: DevDocument): string {
  const { temporal, database, worker, definitions } = document;
  const handlers =
    worker.commands.length === 0 ? paint.yellow('none: give --commands FILE') : worker.commands.join(', ');
  const fields = fieldsText(paint, [
    ['Temporal', `${temporal.address}, namespace ${temporal.namespace}`],
    ['Web UI', temporal.webUi === null ? '–' : paint.cyan(temporal.webUi)],
    ['PostgreSQL', database.url],
    ['worker', `task queue ${worker.taskQueue}`],
    ['handlers', plain(handlers)],
    ['definitions', definitions.map(({ id, version }) => `${id} version ${version}`).join(', ') || '–'],
  ]);
  const next = [
    ...(worker.taskQueue === TASK_QUEUE ? [] : [`export FERMATA_TASK_QUEUE=${worker.taskQueue}`]),
    ...(definitions.length === 0 ? [`${called} definitions publish FILE`] : []),
    `${called} events publish --type TYPE --data '{ … }'`,
    `${called} runs start ${definitions[0]?.id ?? 'DEFINITION'} --input '{ … }'`,
    `${called} runs list`,
  ];
  const steps = next.map((line) => `  ${line}`).join('\n');
  return `${paint.green('Ready.')} Ctrl-C stops it.\n\n${fields}\n\nNext, in another terminal in this folder:\n${steps}`;
}

/**
 * Two projects with one server: what may go wrong, and the lines that keep them apart.
 *
 * @param place.folder the project's; its name makes that of the task queue
 */
export function sharedText(
  paint: Paint,
  { temporal, worker }: DevDocument,
  place: { readonly called: string; readonly folder: string },
): string {
  const { called, folder } = place;
  const queue =
    basename(folder)
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '') || 'mine';
  return [
    `The Temporal server at ${temporal.address} ran before, perhaps for another project. A worker of that one with the`,
    `task queue "${worker.taskQueue}" takes runs of yours, and yours takes its. To keep them apart, end the other project,`,
    'or press Ctrl-C and give this one a task queue of its own, here and in the terminal where you call the other verbs:',
    `  export FERMATA_TASK_QUEUE=${queue === worker.taskQueue ? `${queue}-2` : queue}`,
    `  ${called} dev …`,
  ]
    .map((line) => paint.yellow(line))
    .join('\n');
}
