/**
 * `fermata approvals claim|release|delegate|comment`: what one person does with a task beside deciding it.
 */
import type { Command } from 'commander';
import type { Fermata } from '../../client/index.ts';
import type { TaskAction } from '../../definitions/index.ts';
import type { Answer } from '../answer.ts';
import { addServerOptions, type ServerOptions, withFermata } from '../connection.ts';
import { plain } from '../output/paint.ts';
import { addAction, addExamples, type Call, type Session } from '../verb.ts';

interface Options extends ServerOptions {
  readonly by: string;
  readonly role?: readonly string[];
  readonly to?: string;
  readonly comment?: string;
}

interface Verb {
  readonly action: TaskAction;
  readonly summary: string;
  readonly description: string;
  /** Behind `--by ann` in the example. */
  readonly more: string;
  readonly done: (options: Options) => string;
}

const VERBS: readonly Verb[] = [
  {
    action: 'claim',
    summary: 'take a task on',
    description:
      'Takes a task on. Where one decision settles it, nobody else may decide it until it is released, delegated or ' +
      'escalated; where several are needed, the others see who is at it.',
    more: '',
    done: ({ by }) => `is claimed by ${by}`,
  },
  {
    action: 'release',
    summary: 'give a claimed task back',
    description: 'Gives a claimed task back, so that others may decide it.',
    more: '',
    done: () => 'is released',
  },
  {
    action: 'delegate',
    summary: "hand one's say on",
    description:
      'Hands the say of one person on to another, for whom the task is claimed. Whoever handed it on has none any more.',
    more: ' --to bob',
    done: ({ to = '' }) => `is delegated to ${to}`,
  },
  {
    action: 'comment',
    summary: 'say something about a task',
    description: 'Says something about a task, for its record; it decides nothing.',
    more: ' --comment "the receipt is on its way"',
    done: () => 'has a comment',
  },
];

export function addRequests(noun: Command, session: Session): void {
  for (const verb of VERBS) addRequest(noun, session, verb);
}

function addRequest(noun: Command, session: Session, verb: Verb): void {
  const { action, summary, description, more } = verb;
  const command = noun
    .command(action)
    .summary(summary)
    .description(`${description} The rules hold in the run: exit 1 and the reason when it is refused.`)
    .argument('<task>', 'task id, from `fermata approvals list`')
    .requiredOption('--by <person>', 'who it is')
    .option('--role <role...>', 'roles of that person');
  if (action === 'delegate') command.requiredOption('--to <person>', 'who is to decide instead');
  if (action === 'comment') command.requiredOption('--comment <text>', 'what is said');
  else command.option('--comment <text>', 'for the record');
  addExamples(command, [[`fermata approvals ${action} expense/e-1/approve/1 --by ann${more}`, summary]]);
  addServerOptions(command);
  addAction<Options>(command, session, (call) => request(call, verb));
}

async function request(call: Call<Options>, { action, done }: Verb): Promise<Answer> {
  const {
    args: [taskId = ''],
    options,
  } = call;
  const answer = await withFermata(call, ({ approvals }: Fermata) => ask(approvals, taskId, { action, options }));
  return { document: answer, text: () => `${plain(taskId)} ${plain(done(options))}.` };
}

function ask(
  approvals: Fermata['approvals'],
  taskId: string,
  { action, options }: { readonly action: TaskAction; readonly options: Options },
) {
  const { by, role, to = '', comment } = options;
  const person = { id: by, ...(role === undefined ? {} : { roles: role }) };
  const said = { by: person, door: 'cli', ...(comment === undefined ? {} : { comment }) };
  switch (action) {
    case 'delegate':
      return approvals.delegate(taskId, { ...said, to });
    case 'comment':
      return approvals.comment(taskId, { ...said, comment: comment ?? '' });
    case 'claim':
    case 'release':
      return approvals[action](taskId, said);
  }
}
