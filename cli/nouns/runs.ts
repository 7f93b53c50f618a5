/**
 * `fermata runs`: starting runs, looking at them, waiting for them, cancelling them.
 */
import { type Command, Option } from 'commander';
import type { Fermata } from '../../client/index.ts';
import type { RunState } from '../../definitions/index.ts';
import type { Answer } from '../answer.ts';
import { addConnectedAction, addStoreAction } from '../connection.ts';
import { addLaterVerbs } from '../later-verbs.ts';
import { pageAnswer } from '../output/page.ts';
import { paintState, plain } from '../output/paint.ts';
import { spanText, timeText } from '../output/times.ts';
import { runAnswer } from '../run-answer.ts';
import { addExamples, addNoun, addPageOptions, type Call, type Session } from '../verb.ts';
import { addResult, addWatch } from './runs-follow.ts';
import { addStart } from './runs-start.ts';

const STATES: readonly RunState[] = ['pending', 'running', 'paused', 'completed', 'failed', 'cancelled'];

interface ListOptions {
  readonly definition?: string;
  readonly state?: RunState;
  readonly event?: string;
  readonly entity?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function addRuns(program: Command, session: Session): void {
  const noun = addNoun(program, 'runs', 'start runs, look at them, wait for them, cancel them');
  addStart(noun, session);
  addList(noun, session);
  addShow(noun, session);
  addResult(noun, session);
  addWatch(noun, session);
  addCancel(noun, session);
  addExamples(noun, [
    [`fermata runs start order --input '{ "total": 90 }'`, 'start a run by hand'],
    ['fermata runs list --state running', 'what is under way'],
    ['fermata runs show order/k3f9-x2m7-qd4t', 'what it did, and what it waits for'],
  ]);
  addLaterVerbs(noun);
}

function addList(noun: Command, session: Session): void {
  const command = noun
    .command('list')
    .summary('list runs, newest first')
    .description('Lists runs, newest first.')
    .option('--definition <id>', 'of this definition')
    .addOption(new Option('--state <state>', 'in this state').choices(STATES))
    .option('--event <id>', 'started by this event')
    .option('--entity <type:id>', 'about this, such as lead:L-1, or lead for all of a type');
  addPageOptions(command);
  addExamples(command, [
    ['fermata runs list', 'the newest'],
    ['fermata runs list --definition order --state failed', 'those of one definition that failed'],
    ['fermata runs list --entity lead:L-1 --json', '{ "items": [{ "runId", "state", "startedAt", … }], "cursor" }'],
  ]);
  addStoreAction<ListOptions>(command, session, list);
}

async function list(fermata: Fermata, { options, io }: Call<ListOptions>): Promise<Answer> {
  const { definition, state, event, entity, limit, cursor } = options;
  const page = await fermata.runs.list({
    ...(definition === undefined ? {} : { definitionId: definition }),
    ...(state === undefined ? {} : { state }),
    ...(event === undefined ? {} : { eventId: event }),
    ...(entity === undefined ? {} : { entity: readEntity(entity) }),
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  return pageAnswer(page, {
    head: ['RUN', 'VERSION', 'STATE', 'STARTED', 'TOOK', 'NOTE'],
    row: ({ runId, version, state: now, createdAt, startedAt, completedAt, error, waitsFor }, paint) => [
      plain(runId),
      version === null ? '–' : String(version),
      paintState(paint, now),
      timeText(startedAt ?? createdAt),
      spanText((completedAt?.getTime() ?? io.now()) - (startedAt ?? createdAt).getTime()),
      error === null ? (waitsFor === null ? '' : paint.yellow(plain(`waits for ${waitsFor}`))) : plain(error.type),
    ],
    none: 'No such run.',
  });
}

function readEntity(text: string): { readonly type: string; readonly id?: string } {
  const colon = text.indexOf(':');
  return colon === -1 ? { type: text } : { type: text.slice(0, colon), id: text.slice(colon + 1) };
}

function addShow(noun: Command, session: Session): void {
  const command = noun
    .command('show')
    .summary('show what a run did and waits for')
    .description(
      'Shows a run: its state, each visit, each command, what it waits for. Exit 1 when it ended failed or cancelled.',
    )
    .argument('<run>', 'run id');
  addExamples(command, [
    ['fermata runs show order/k3f9-x2m7-qd4t', 'for people'],
    ['fermata runs show order/k3f9-x2m7-qd4t --json', 'the same shape as fermata simulate --json'],
  ]);
  addStoreAction(command, session, async (fermata, { args: [runId = ''] }) =>
    runAnswer(await fermata.runs.show(runId)),
  );
}

interface CancelOptions {
  readonly reason?: string;
  readonly by?: string;
}

function addCancel(noun: Command, session: Session): void {
  const command = noun
    .command('cancel')
    .summary('ask a run to stop')
    .description('Asks a run to stop: nothing new starts, what it declares is undone, then it is cancelled.')
    .argument('<run>', 'run id')
    .option('--reason <text>', 'why, for the record')
    .option('--by <person>', 'who asks for it');
  addExamples(command, [
    ['fermata runs cancel order/k3f9-x2m7-qd4t --reason "ordered twice" --by ann', 'ask for it'],
    ['fermata runs result order/k3f9-x2m7-qd4t', 'wait until it is done'],
  ]);
  addConnectedAction<CancelOptions>(command, session, cancel);
}

async function cancel(fermata: Fermata, { args: [runId = ''], options }: Call<CancelOptions>): Promise<Answer> {
  const { reason, by } = options;
  await fermata.runs.cancel(runId, {
    ...(reason === undefined ? {} : { reason }),
    ...(by === undefined ? {} : { by }),
  });
  return { document: { runId, cancelRequested: true }, text: () => `${plain(runId)} is asked to stop.` };
}
