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
    ['state', stateText(paint, task)],
    ['for', assigneesText(task.assignees)],
    ['outcomes', plain(task.outcomes.join(', '))],
    ['votes', plain(votesText(task))],
    ['since', timeText(task.since)],
    ['due', timeText(task.dueAt)],
    ['until', timeText(task.until)],
  ];
  if (task.subject !== null) {
    fields.push(['subject', plain(JSON.stringify(task.subject.value))], ['its hash', plain(task.subject.hash)]);
  }
  if (task.form !== null) fields.push(['form', plain(JSON.stringify(task.form))]);
  const description = task.description === '' ? [] : [plain(task.description)];
  return [fieldsText(paint, fields), ...description, ...decisionsText(paint, task), ...historyText(paint, task)].join(
    '\n\n',
  );
}

/** `open`, and who has taken it on. */
export function openText({ claimedBy }: Pick<Approval, 'claimedBy'>): string {
  return claimedBy === null ? 'open' : `claimed by ${plain(claimedBy)}`;
}

function stateText(paint: Paint, task: Approval): string {
  if (task.state === 'open') return task.claimedBy === null ? paintState(paint, 'open') : paint.yellow(openText(task));
  const why = task.withdrawn === null ? '' : `: ${task.withdrawn}`;
  return plain(`${task.outcome ?? 'closed'}${why}`);
}

function historyText(paint: Paint, { history }: Approval): string[] {
  if (history.length === 0) return [];
  const rows = history.map(({ by, action, to, at, refusal, comment }) => [
    timeText(at),
    plain(action),
    by === null ? 'the run' : plain(by.id),
    plain(to.join(', ')),
    refusal === null ? plain(comment ?? '') : paint.red(plain(`${refusal.code}: ${refusal.message}`)),
  ]);
  return [tableText(paint, ['AT', 'WHAT', 'BY', 'TO', 'REMARK'], rows)];
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
