/**
 * `fermata runs start`: a run by hand.
 */
import type { Command } from 'commander';
import type { Fermata } from '../../client/index.ts';
import type { Answer } from '../answer.ts';
import { addConnectedAction } from '../connection.ts';
import { JSON_FORMS, readJsonOption } from '../input/read-json.ts';
import { plain } from '../output/paint.ts';
import { addExamples, type Call, type Session, wholeNumber } from '../verb.ts';
import { follow } from './runs-follow.ts';

interface Options {
  readonly input?: string;
  readonly id?: string;
  readonly version?: number;
  readonly by?: string;
  readonly wait?: boolean;
}

export function addStart(noun: Command, session: Session): void {
  const command = noun
    .command('start')
    .summary('start a run by hand')
    .description('Starts a run by hand and prints its id; with --wait, the run when it has ended.')
    .argument('<definition>', 'id of the definition')
    .option('--input <json>', `its input (${JSON_FORMS})`)
    .option('--id <id>', 'last part of the run id, for a start that may be repeated (default: a random one)')
    .option('--version <n>', 'version of the definition (default: the active one)', wholeNumber)
    .option('--by <person>', 'who starts it: run.initiator.id of the definition')
    .option('--wait', 'wait for the end; exit 1 when it ends failed or cancelled');
  addExamples(command, [
    [`fermata runs start order --input '{ "total": 90 }'`, 'start and go on'],
    ['fermata runs start order --input @order.json --id order-17 --by ann', 'with an id of your own'],
    ['fermata runs start order --wait --json', 'the whole run, as JSON, when it has ended'],
  ]);
  addConnectedAction<Options>(command, session, start);
}

async function start(fermata: Fermata, call: Call<Options>): Promise<Answer> {
  const { args, options, io } = call;
  const { id, version, by, wait } = options;
  const run = await fermata.runs.start(args[0] ?? '', {
    ...(options.input === undefined ? {} : { input: await readJsonOption(io, '--input', options.input) }),
    ...(id === undefined ? {} : { id }),
    ...(version === undefined ? {} : { version }),
    ...(by === undefined ? {} : { initiator: by }),
  });
  if (wait === true) return await follow(fermata, run.id, { io });
  return {
    document: { runId: run.id, definitionId: run.definitionId, version: run.version },
    text: (paint) => `started ${paint.bold(plain(run.id))}`,
    notes: (paint) => paint.dim(`see it: fermata runs show ${plain(run.id)}`),
  };
}
