/**
 * What `fermata dev` says when all is ready: where everything is, and what to do next.
 */
import { TASK_QUEUE } from '../../definitions/wire.ts';
import type { DevDocument } from '../dev/start-dev.ts';
import { type Paint, plain } from './paint.ts';
import { fieldsText } from './table.ts';

export function devText(paint: Paint, { temporal, database, worker, definitions }: DevDocument): string {
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
    ...(definitions.length === 0 ? ['fermata definitions publish FILE'] : []),
    `fermata events publish --type TYPE --data '{ … }'`,
    `fermata runs start ${definitions[0]?.id ?? 'DEFINITION'} --input '{ … }'`,
    'fermata runs list',
  ];
  const steps = next.map((line) => `  ${line}`).join('\n');
  return `${paint.green('Ready.')} Ctrl-C stops it.\n\n${fields}\n\nNext, in another terminal in this folder:\n${steps}`;
}
