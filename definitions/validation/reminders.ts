/**
 * Rule about what an approval does while it waits: reminders and escalations come one after the other, and before the
 * deadline that would end the wait.
 */
import type { IssueList } from '../issue.ts';
import type { Keys } from '../json/path.ts';
import type { ApprovalConfig, DurationText } from '../types.ts';
import type { Rule } from './context.ts';
import { checkDuration, judgeDuration } from './literals.ts';

export const checkReminders: Rule = ({ outline, issues }) => {
  for (const { node, keys: nodeKeys } of outline.nodes) {
    if (node?.type !== 'approval') continue;
    const moments = momentsOf(node.config, [...nodeKeys, 'config']);
    for (const { text, keys, list } of moments) if (list !== null) checkDuration(text, { keys, issues });
    checkOrder(moments, issues);
    checkDeadline(moments, node.config.timeout, issues);
  }
};

interface Moment {
  readonly what: string;
  readonly text: DurationText;
  readonly keys: Keys;
  /** The field that lists it among its like; `null`: it stands alone. */
  readonly list: 'reminders' | 'escalate' | null;
}

function momentsOf({ dueIn, reminders = [], escalate = [] }: ApprovalConfig, keys: Keys): readonly Moment[] {
  return [
    ...(dueIn === undefined ? [] : [{ what: '"dueIn"', text: dueIn, keys: [...keys, 'dueIn'], list: null }]),
    ...reminders.map((text, index): Moment => {
      return { what: 'the reminder', text, keys: [...keys, 'reminders', index], list: 'reminders' };
    }),
    ...escalate.map(({ after }, index): Moment => {
      return { what: 'the escalation', text: after, keys: [...keys, 'escalate', index, 'after'], list: 'escalate' };
    }),
  ];
}

function checkOrder(moments: readonly Moment[], issues: IssueList): void {
  for (const [index, { what, text, keys, list }] of moments.entries()) {
    const before = moments[index - 1];
    if (list === null || before?.list !== list) continue;
    const [earlier, later] = [judgeDuration(before.text), judgeDuration(text)];
    if (typeof earlier !== 'number' || typeof later !== 'number' || later > earlier) continue;
    const message = `${what} after ${text} must come later than the one before it, after ${before.text}`;
    issues.add('definition.invalid_value', keys, message);
  }
}

function checkDeadline(moments: readonly Moment[], timeout: DurationText | undefined, issues: IssueList): void {
  const deadline = timeout === undefined ? null : judgeDuration(timeout);
  if (typeof deadline !== 'number') return;
  for (const { what, text, keys } of moments) {
    const after = judgeDuration(text);
    if (typeof after !== 'number' || after < deadline) continue;
    const message = `${what} after ${text} never comes, since the approval ends after ${timeout}`;
    issues.add('definition.never_happens', keys, message);
  }
}
