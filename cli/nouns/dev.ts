/**
 * `fermata dev`: everything that a definition needs to run, in one process, until Ctrl-C.
 */
import type { Command } from 'commander';
import type { Answer } from '../answer.ts';
import { calledAs } from '../called-as.ts';
import { startDev } from '../dev/start-dev.ts';
import { readDefinition } from '../input/read-definition.ts';
import { devText, sharedText } from '../output/dev-text.ts';
import { printNotes } from '../output/print.ts';
import { startProgress } from '../output/progress.ts';
import { addAction, addExamples, type Call, type Session } from '../verb.ts';

interface Options {
  readonly commands?: readonly string[];
  readonly definitions?: readonly string[];
  readonly taskQueue?: string;
  readonly tenant?: string;
  readonly quiet?: boolean;
}

export function addDev(program: Command, session: Session): void {
  const command = program
    .command('dev')
    .summary('start servers and a worker, until Ctrl-C')
    .description(
      'Starts what is missing of Temporal and PostgreSQL (state in .fermata/, kept for the next time), prepares the ' +
        'database, starts a worker with your handlers and publishes your definitions, again whenever one changes; a changed handler takes a new start. ' +
        'Prints the addresses and goes on until Ctrl-C, which stops what it started. Other commands in this folder ' +
        'find its servers by themselves, and handlers find DATABASE_URL and TEMPORAL_ADDRESS in their environment. ' +
        'Says when a run begins and ends and when an attempt fails. A server that it started and that ends by itself is ' +
        'started again.',
    )
    .option('--commands <file...>', 'modules whose exported handlers the worker runs, TypeScript or JavaScript')
    .option('--definitions <file...>', 'definition files to publish')
    .option('--task-queue <name>', 'task queue of the worker (default: FERMATA_TASK_QUEUE, then "fermata")')
    .option('--quiet', 'say nothing of what runs do')
    .option('--tenant <name>', 'tenant to publish for (default: FERMATA_TENANT, then "default")');
  addExamples(command, [
    ['fermata dev --commands commands.ts --definitions lead.json', 'run a definition with its handlers'],
    ['TEMPORAL_ADDRESS=temporal.internal:7233 fermata dev --commands commands.ts', 'with a Temporal server of yours'],
    ['fermata dev --json', 'one JSON document with the addresses when all is ready'],
  ]);
  addAction<Options>(command, session, dev);
}

/** What can be wrong with definitions is found before a server is started; handlers may ask for one when loaded. */
async function dev({ options, io }: Call<Options>): Promise<Answer> {
  const { definitions = [], taskQueue, tenant } = options;
  const interrupted = io.interruption();
  for (const file of definitions) await readDefinition(io, file);
  const progress = startProgress(io);
  let ready = false;
  const log = (line: string): void => (ready ? printNotes(io, (paint) => paint.yellow(line)) : progress.step(line));
  try {
    const files = { commands: options.commands ?? [], definitions };
    const running = await startDev({ io, files, taskQueue, tenant, quiet: options.quiet === true, log });
    ready = true;
    const place = { called: calledAs(io), folder: io.cwd };
    return {
      document: running.document,
      text: (paint) => devText(paint, place.called, running.document),
      notes: (paint) => (running.shared ? sharedText(paint, running.document, place) : ''),
      goOn: () => running.untilEnd(interrupted),
    };
  } finally {
    progress.stop();
  }
}
