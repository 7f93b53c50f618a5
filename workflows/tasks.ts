/**
 * The open approvals of a run: which one a message means, what people see of it, and how it ends.
 *
 * What it is not: a rule about who may decide (`people.ts`) or what counts (`approvals.ts`).
 *
 * Invariants:
 * 1. A task is open from the begin of its visit to its end, also while the run goes over into a fresh history.
 * 2. A message that fits several open tasks is given to none.
 */
import type { ApprovalTask, TaskAddress, TaskMoment, TaskRecord, Waiting } from '../definitions/records.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { ApprovalNode, JsonSchema } from '../definitions/types.ts';
import type { ApprovalState, ClosedTask } from './approval-state.ts';
import type { VisitState } from './checkpoint.ts';
import { type OpenTask, openWait, record, type RunContext } from './context.ts';
import { framesIn } from './frames.ts';
import { assigneesAt, claimantAt, namesOf } from './people.ts';
import type { Refusal } from './read-decision.ts';

/** Closed tasks of inner scopes that one run remembers; of older ones it is said that they are not open. */
const MOST_CLOSED = 200;

/** Opens the tasks that a checkpoint brought along, so that what comes before the walk goes on finds them. */
export function reopenTasks(run: RunContext): void {
  for (const { visit } of framesIn(run.checkpoint.frame)) {
    if (visit?.node.kind === 'approval') addTask(run, { ...visit, node: visit.node });
  }
}

/** The open task of a visit. */
export function addTask(run: RunContext, visit: VisitState & { readonly node: ApprovalState }): OpenTask {
  const { seq, startedAt, node: state } = visit;
  const known = run.approvals.get(state.taskId);
  if (known) return known;
  const parts = state.taskId.slice(run.start.run.id.length + 1).split('/');
  const [nodeId = '', nth] = parts.slice(-2);
  const path = parts.slice(0, -2).map((part) => `${part}/`);
  const task = { nodeId, path: path.join(''), visit: Number(nth), seq, startedAt, state };
  run.approvals.set(state.taskId, task);
  return task;
}

/** Shows people the task as it is now. */
export function showTask(run: RunContext, task: OpenTask): void {
  openWait(run, task.seq, waitingFor(run, task));
}

/** The task is over; `withdrawn`: why, where it has no outcome. */
export function closeTask(run: RunContext, task: OpenTask, withdrawn: string | null): void {
  const { nodeId, path, visit, state } = task;
  run.approvals.delete(state.taskId);
  if (!run.compiled.top.byId.has(nodeId)) rememberClosed(run, { nodeId, path, visit });
  if (withdrawn === null) return;
  const waiting = waitingFor(run, task);
  run.waiting.set(task.seq, { ...waiting, task: { ...approvalTask(run, task), withdrawn } });
  recordMoment(run, task, {
    action: 'withdraw',
    to: namesOf(assigneesAt(state, run.effects.now())),
    comment: withdrawn,
  });
}

/** Something that happened by itself, in the audit. */
export function recordMoment(
  run: RunContext,
  { nodeId, state: { taskId } }: OpenTask,
  what: { readonly action: TaskMoment } & Pick<TaskRecord, 'to'> & Partial<Pick<TaskRecord, 'comment' | 'refusal'>>,
): void {
  const now = run.effects.now();
  const nothing = { comment: null, refusal: null, by: null, door: null };
  record(run, { kind: 'task', taskId, nodeId, ...nothing, ...what, at: isoTime(now), handledAt: now });
}

/** The open task that a message means, or why there is none. */
export function findTask(run: RunContext, address: TaskAddress): OpenTask | Refusal {
  const { nodeId, visit, path } = address;
  const open = [...run.approvals.values()].filter((task) =>
    fits(task, { nodeId, ...(path === undefined ? {} : { path }) }),
  );
  const [task, other] = open
    .sort((one, next) => one.seq - next.seq)
    .filter((one) => visit === undefined || one.visit === visit);
  if (task && other) return ambiguous(address, [task.path, other.path]);
  if (task) return task;
  if (run.compiled.nodes.get(nodeId)?.node.type !== 'approval') {
    return { code: 'not_open', message: `There is no approval node ${nodeId} in this run` };
  }
  const past = lastClosed(run, address)?.visit ?? 0;
  if (visit !== undefined ? visit <= past : past > 0 && open.length === 0) {
    const which = visit === undefined ? '' : ` (visit ${visit})`;
    return { code: 'too_late', message: `The approval ${nodeId} is closed${which}` };
  }
  if (path === undefined && isRepeated(run, nodeId)) return ambiguous(address, []);
  if (open[0])
    return { code: 'wrong_visit', message: `The approval ${nodeId} is at visit ${open[0].visit}, not ${visit}` };
  return { code: 'not_open', message: `The run has not come to the approval ${nodeId} yet` };
}

/** The closed task that a message which is too late was for, so that the task's own audit shows it. */
export function lateFor(run: RunContext, address: TaskAddress): string | null {
  const closed = lastClosed(run, address);
  const { nodeId, path = closed?.path, visit = closed?.visit } = address;
  return path === undefined || visit === undefined ? null : `${run.start.run.id}/${path}${nodeId}/${visit}`;
}

/** JSON Schema of the answer to a task; absent: any. */
export function formOf({ compiled }: RunContext, { nodeId }: OpenTask): JsonSchema | undefined {
  return (compiled.nodes.get(nodeId)?.node as ApprovalNode | undefined)?.config.form;
}

/** What people see of a task, without what `redact` hides being hidden. */
export function approvalTask(run: RunContext, task: OpenTask): ApprovalTask {
  const { state, visit } = task;
  const { taskId, title, description, outcomes, quorum, priority, dueAt, subject } = state;
  const now = run.effects.now();
  const claimedBy = claimantAt(state, now);
  const form = formOf(run, task);
  return {
    taskId,
    visit,
    title,
    description,
    assignees: assigneesAt(state, now),
    outcomes,
    quorum,
    priority,
    dueAt,
    ...(form === undefined ? {} : { form }),
    ...(subject === undefined ? {} : { subject }),
    ...(claimedBy === null ? {} : { claimedBy }),
  };
}

function waitingFor(run: RunContext, open: OpenTask): Waiting {
  const task = approvalTask(run, open);
  const people = namesOf(task.assignees);
  const who = people.length > 0 ? people.join(', ') : 'anyone';
  const claimed = task.claimedBy === undefined ? '' : `, claimed by ${task.claimedBy}`;
  const wanted = task.quorum === 1 ? 'a decision' : `${task.quorum} decisions`;
  return {
    nodeId: open.nodeId,
    kind: 'approval',
    since: open.startedAt,
    until: open.state.timeoutAt,
    for: `${wanted} on "${task.title}" by ${who}${claimed}`,
    task,
  };
}

function fits(task: ClosedTask, { nodeId, path }: TaskAddress): boolean {
  return task.nodeId === nodeId && (path === undefined || task.path === path);
}

function lastClosed(run: RunContext, address: TaskAddress): ClosedTask | null {
  const { nodeId } = address;
  if (!run.compiled.top.byId.has(nodeId)) {
    const all = (run.checkpoint.closed ?? []).filter((task) => fits(task, address));
    return all.reduce<ClosedTask | null>((last, one) => (last && last.visit >= one.visit ? last : one), null);
  }
  const { visits } = run.checkpoint.frame;
  const begun = Object.hasOwn(visits, nodeId) ? (visits[nodeId] as number) : 0;
  const isOpen = [...run.approvals.values()].some((task) => fits(task, { nodeId, path: '' }));
  const closed = { nodeId, path: '', visit: isOpen ? begun - 1 : begun };
  return closed.visit > 0 && fits(closed, address) ? closed : null;
}

function rememberClosed({ checkpoint }: RunContext, closed: ClosedTask): void {
  const others = (checkpoint.closed ?? []).filter((task) => !fits(task, closed));
  checkpoint.closed = [...others, closed].slice(-MOST_CLOSED);
}

/** Whether there may be several visits of a node at once: it stands in a `forEach`. */
function isRepeated({ compiled }: RunContext, nodeId: string): boolean {
  return [...compiled.nodes.values()].some(
    ({ node, config }) =>
      node.type === 'forEach' &&
      (config as { readonly nodes: { readonly inside: ReadonlySet<string> } }).nodes.inside.has(nodeId),
  );
}

function ambiguous({ nodeId }: TaskAddress, paths: readonly string[]): Refusal {
  const some =
    paths.length === 0 ? '' : `: ${paths.map((path) => `"${path}"`).join(', ')}${paths.length > 1 ? ', …' : ''}`;
  return { code: 'ambiguous', message: `The approval ${nodeId} is there several times; say which by its path${some}` };
}
