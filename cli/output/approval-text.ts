/**
 * An approval for people: who may decide, and what was decided or refused so far.
 */
import type { Approval } from '../../client/index.ts';
import { type Paint, paintState, plain } from './paint.ts';
import { fieldsText, tableText } from './table.ts';
import { timeText } from './times.ts';

export function approvalText(paint: Paint, task: Approval): string {
  const fields: [string, string][] = [
    ['task', paint.bold(plain(task.taskId))],
    ['title', plain(task.title)],
    ['run', plain(task.runId)],
    ['state', task.state === 'open' ? paintState(paint, 'open') : plain(task.outcome ?? 'closed')],
    ['for', assigneesText(task.assignees)],
    ['outcomes', plain(task.outcomes.join(', '))],
    ['votes', plain(votesText(task))],
    ['since', timeText(task.since)],
    ['due', timeText(task.dueAt)],
    ['until', timeText(task.until)],
  ];
  const description = task.description === '' ? [] : [plain(task.description)];
  return [fieldsText(paint, fields), ...description, ...decisionsText(paint, task)].join('\n\n');
}

/** Who may decide. */
export function assigneesText({ users, roles, queues }: Approval['assignees']): string {
  const parts = [...users, ...roles.map((role) => `role ${role}`), ...queues.map((queue) => `queue ${queue}`)];
  return parts.length === 0 ? 'anyone' : plain(parts.join(', '));
}

/** How many people have voted for what: `approved 1 of 2, rejected 1`. */
export function votesText({ outcomes, quorum, votes }: Pick<Approval, 'outcomes' | 'quorum' | 'votes'>): string {
  const parts = outcomes.map((outcome, index) => {
    const given = votes[outcome] ?? 0;
    if (index === 0) return `${outcome} ${given} of ${quorum}`;
    return given === 0 ? '' : `${outcome} ${given}`;
  });
  return parts.filter((part) => part !== '').join(', ');
}

function decisionsText(paint: Paint, { decisions }: Approval): string[] {
  if (decisions.length === 0) return [];
  const rows = decisions.map(({ by, outcome, at, refusal, comment }) => [
    plain(by.id),
    plain(outcome),
    timeText(at),
    refusal === null ? paint.green('counts') : paint.red(plain(refusal.code)),
    plain(refusal?.message ?? comment ?? ''),
  ]);
  return [tableText(paint, ['BY', 'OUTCOME', 'AT', 'COUNTS', 'REMARK'], rows)];
}
