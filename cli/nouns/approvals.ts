/**
 * `fermata approvals`: what people are asked, and their answers.
 */
import { type Command, Option } from 'commander';
import type { Fermata } from '../../client/index.ts';
import type { Answer } from '../answer.ts';
import { addStoreAction } from '../connection.ts';
import { approvalText, assigneesText, openText, votesText } from '../output/approval-text.ts';
import { pageAnswer } from '../output/page.ts';
import { plain } from '../output/paint.ts';
import { timeText } from '../output/times.ts';
import { addExamples, addNoun, addPageOptions, type Call, type Session } from '../verb.ts';
import { addDecide } from './approvals-decide.ts';
import { addRequests } from './approvals-request.ts';

const STATES = ['open', 'closed', 'all'] as const;

interface ListOptions {
  readonly assignee?: string;
  readonly role?: readonly string[];
  readonly queue?: string;
  readonly claimedBy?: string;
  readonly state?: (typeof STATES)[number];
  readonly definition?: string;
  readonly run?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function addApprovals(program: Command, session: Session): void {
  const noun = addNoun(program, 'approvals', 'see what people are asked, and answer');
  addList(noun, session);
  addShow(noun, session);
  addDecide(noun, session);
  addRequests(noun, session);
  addExamples(noun, [
    ['fermata approvals list --assignee ann', 'what waits for one person'],
    ['fermata approvals decide expense/e-1/approve/1 --outcome approved --by ann', 'answer'],
  ]);
}

function addList(noun: Command, session: Session): void {
  const command = noun
    .command('list')
    .summary('list approvals, oldest first')
    .description('Lists approvals, oldest first.')
    .option('--assignee <person>', 'that this person may decide')
    .option('--role <role...>', 'that somebody with one of these roles may decide')
    .option('--queue <queue>', 'of this queue')
    .option('--claimed-by <person>', 'that this person has claimed')
    .addOption(new Option('--state <state>', 'open (default), closed or all').choices(STATES))
    .option('--definition <id>', 'of runs of this definition')
    .option('--run <id>', 'of this run');
  addPageOptions(command);
  addExamples(command, [
    ['fermata approvals list', 'all that are open'],
    ['fermata approvals list --assignee ann --role finance', 'what ann, who is in finance, may decide'],
    ['fermata approvals list --json', '{ "items": [{ "taskId", "title", "outcomes", "dueAt", … }], "cursor" }'],
  ]);
  addStoreAction<ListOptions>(command, session, list);
}

async function list(fermata: Fermata, { options }: Call<ListOptions>): Promise<Answer> {
  const { assignee, role, queue, claimedBy, state, definition, run, limit, cursor } = options;
  const page = await fermata.approvals.list({
    ...(assignee === undefined ? {} : { assignee }),
    ...(role === undefined ? {} : { role }),
    ...(queue === undefined ? {} : { queue }),
    ...(claimedBy === undefined ? {} : { claimedBy }),
    ...(state === undefined ? {} : { state }),
    ...(definition === undefined ? {} : { definitionId: definition }),
    ...(run === undefined ? {} : { runId: run }),
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  return pageAnswer(page, {
    head: ['TASK', 'TITLE', 'FOR', 'OUTCOMES', 'VOTES', 'SINCE', 'DUE', 'UNTIL', 'STATE'],
    row: (task, paint) => [
      plain(task.taskId),
      plain(task.title),
      assigneesText(task.assignees),
      plain(task.outcomes.join(', ')),
      plain(votesText(task)),
      timeText(task.since),
      timeText(task.dueAt),
      timeText(task.until),
      task.state === 'open' ? paint.yellow(openText(task)) : plain(task.outcome ?? 'closed'),
    ],
    none: 'Nothing waits for a decision.',
  });
}

function addShow(noun: Command, session: Session): void {
  const command = noun
    .command('show')
    .summary('show an approval and its decisions')
    .description('Shows an approval: who may decide, which answers there are, and what was decided or refused so far.')
    .argument('<task>', 'task id');
  addExamples(command, [['fermata approvals show expense/e-1/approve/1', 'one task']]);
  addStoreAction(command, session, async (fermata, { args: [taskId = ''] }) => {
    const task = await fermata.approvals.show(taskId);
    return { document: task, text: (paint) => approvalText(paint, task) };
  });
}
