/**
 * `fermata runs start`: a run by hand.
 */
import type { Command } from 'commander';
import type { StartedRun, StartOptions } from '../../client/index.ts';
import type { Answer } from '../answer.ts';
import { calledAs } from '../called-as.ts';
import { addServerOptions, type ServerOptions, withFermata } from '../connection.ts';
import { JSON_FORMS, readJsonOption } from '../input/read-json.ts';
import type { Io } from '../io.ts';
import { plain } from '../output/paint.ts';
import { addAction, addExamples, type Call, type Session, wholeNumber } from '../verb.ts';
import { follow } from './runs-follow.ts';

interface Options extends ServerOptions {
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
  addServerOptions(command);
  addAction<Options>(command, session, start);
}

async function start(call: Call<Options>): Promise<Answer> {
  const { args, options, io } = call;
  const { id, version, by, wait } = options;
  const started: StartOptions = {
    ...(options.input === undefined ? {} : { input: await readJsonOption(io, '--input', options.input) }),
    ...(id === undefined ? {} : { id }),
    ...(version === undefined ? {} : { version }),
    ...(by === undefined ? {} : { initiator: by }),
  };
  return await withFermata(call, async (fermata) => {
    const run = await fermata.runs.start(args[0] ?? '', started);
    return wait === true ? await follow(fermata, run.id, { io }) : startedAnswer(io, run);
  });
}

const STARTED: { readonly [status in StartedRun['status']]: (run: string) => string } = {
  started: (run) => `started ${run}`,
  queued: (run) => `${run} waits for its key and begins in its turn`,
  joined: (run) => `joined ${run}, which has the key`,
};

function startedAnswer(io: Io, { id, definitionId, version, status }: StartedRun): Answer {
  return {
    document: { runId: id, definitionId, version, status },
    text: (paint) => STARTED[status](paint.bold(plain(id))),
    notes: (paint) => paint.dim(`see it: ${calledAs(io)} runs show ${plain(id)}`),
  };
}
