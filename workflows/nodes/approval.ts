/** `approval`: waits for people. The rules are in `../approvals.ts`, the doors in `../decisions.ts` and `../task-requests.ts`. */
import { DEFAULT_OUTCOMES } from '../../definitions/approval-outcomes.ts';
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { parseDuration } from '../../definitions/duration.ts';
import { RunError } from '../../definitions/errors.ts';
import { canonicalJson } from '../../definitions/json/canonical.ts';
import { sha256 } from '../../definitions/json/sha256.ts';
import type { Subject } from '../../definitions/records.ts';
import type { ApprovalNode, Assignees as AssigneesConfig, Json } from '../../definitions/types.ts';
import type { ApprovalState, Assignees } from '../approval-state.ts';
import { approvalOutput, settledOutcome } from '../approvals.ts';
import { checkedBytes, isRolloverDue, type OpenTask } from '../context.ts';
import { takeEarlyDecisions } from '../decisions.ts';
import { SUSPENDED, type Step } from '../outcome.ts';
import { assigneesAt } from '../people.ts';
import { cancelledError, evaluate, type Scope, type Visit, visitId } from '../scope.ts';
import { catchUp, compileSchedule, momentsFrom, nextMoment, type Schedule, tell } from '../task-moments.ts';
import { addTask, closeTask, showTask } from '../tasks.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly title: CompiledTemplate;
  readonly description: CompiledTemplate;
  readonly assignees: AssigneeTemplates;
  readonly exclude: CompiledTemplate;
  readonly outcomes: readonly string[];
  readonly quorum: number;
  readonly rejectAt: number;
  readonly dueInMs: number | null;
  readonly timeoutMs: number | null;
  readonly priority: number | null;
  readonly subject: CompiledTemplate | null;
  readonly schedule: Schedule;
  /** One for each escalation. */
  readonly steps: readonly { readonly assignees: AssigneeTemplates; readonly notify: CompiledTemplate }[];
}

interface AssigneeTemplates {
  readonly users: CompiledTemplate;
  readonly roles: CompiledTemplate;
  readonly queues: CompiledTemplate;
}

export const approval: NodeType<ApprovalNode, Config, ApprovalState> = {
  compile({ id, name, config }) {
    return {
      title: compileTemplate(config.title ?? name ?? id),
      description: compileTemplate(config.description ?? ''),
      assignees: compileAssignees(config.assignees),
      exclude: compileTemplate(config.exclude ?? []),
      outcomes: config.outcomes ?? DEFAULT_OUTCOMES,
      quorum: config.quorum ?? 1,
      rejectAt: config.rejectAt ?? 1,
      dueInMs: config.dueIn === undefined ? null : parseDuration(config.dueIn),
      timeoutMs: config.timeout === undefined ? null : parseDuration(config.timeout),
      priority: config.priority ?? null,
      subject: config.subject === undefined ? null : compileTemplate(config.subject),
      schedule: compileSchedule(config),
      steps: (config.escalate ?? []).map(({ assignees, notify = null }) => ({
        assignees: compileAssignees(assignees),
        notify: compileTemplate(notify),
      })),
    };
  },

  enter(visit) {
    const { scope, config, startedAt } = visit;
    const value = (template: CompiledTemplate): Json => evaluate(scope, template);
    const moments = momentsFrom(startedAt, config.schedule, (index) => escalation(scope, config.steps[index]));
    const state: ApprovalState = {
      kind: 'approval',
      taskId: visitId(visit),
      title: text('title', value(config.title)),
      description: text('description', value(config.description)),
      assignees: assigneesOf(scope, config.assignees),
      exclude: texts('exclude', value(config.exclude)),
      outcomes: config.outcomes,
      quorum: config.quorum,
      rejectAt: config.rejectAt,
      priority: config.priority,
      dueAt: config.dueInMs === null ? null : startedAt + config.dueInMs,
      timeoutAt: config.timeoutMs === null ? null : startedAt + config.timeoutMs,
      ...(config.subject === null ? {} : { subject: subjectOf(value(config.subject)) }),
      ...(moments.length === 0 ? {} : { moments }),
      votes: [],
    };
    checkedBytes('text of the approval', state as unknown as Json);
    return state;
  },

  async proceed(visit, state) {
    const { run, scope, label, seq, startedAt } = visit;
    const task = addTask(run, { seq, startedAt, node: state });
    showTask(run, task);
    let step: Step | null = null;
    try {
      takeEarlyDecisions(run, task);
      while (step === null) {
        step = settledStep(visit, state);
        if (step !== null) break;
        catchUp(run, task);
        if (isRolloverDue(run)) return SUSPENDED;
        const ready = (): boolean => settledOutcome(state) !== null || isRolloverDue(run);
        await scope.effects.wait({ untilMs: nextMoment(state), ready, summary: label });
      }
    } catch (rejection) {
      if (run.effects.describe(rejection).type !== 'CANCELLED') throw rejection;
      step = settledStep(visit, state);
    }
    if (step === null) return withdraw(visit, task);
    closeTask(run, task, null);
    return step;
  },
};

/** The run has moved on. Who was told of the task is told of that too. */
function withdraw({ run, scope, nodeId }: Visit<Config>, task: OpenTask): Step {
  const error = cancelledError(scope, nodeId);
  if (task.state.done) tell(run, task, { kind: 'withdrawn', to: assigneesAt(task.state, run.effects.now()) });
  closeTask(run, task, error.message);
  return { kind: 'error', error };
}

/** Decisions come before the deadline, whichever woke the run; `null`: wait on. */
function settledStep({ run, nodeId }: Visit<Config>, state: ApprovalState): Step | null {
  const outcome = settledOutcome(state);
  if (outcome !== null) return named(nodeId, state, outcome);
  return state.timeoutAt !== null && run.effects.now() >= state.timeoutAt ? named(nodeId, state, 'timeout') : null;
}

function named(nodeId: string, state: ApprovalState, name: string): Step {
  const timedOut = name === 'timeout';
  return {
    kind: 'named',
    name,
    good: name === state.outcomes[0],
    output: approvalOutput(state, name),
    otherwise: {
      type: timedOut ? 'WAIT_TIMEOUT' : 'NOT_APPROVED',
      message: timedOut ? `Nobody decided "${state.title}" in time` : `"${state.title}" was decided: ${name}`,
      nodeId,
    },
  };
}

function subjectOf(value: Json): Subject {
  return { value, hash: sha256(canonicalJson(value)) };
}

function compileAssignees({ users = [], roles = [], queues = [] }: AssigneesConfig = {}): AssigneeTemplates {
  return { users: compileTemplate(users), roles: compileTemplate(roles), queues: compileTemplate(queues) };
}

function assigneesOf(scope: Scope, { users, roles, queues }: AssigneeTemplates): Assignees {
  return {
    users: texts('assignees.users', evaluate(scope, users)),
    roles: texts('assignees.roles', evaluate(scope, roles)),
    queues: texts('assignees.queues', evaluate(scope, queues)),
  };
}

function escalation(scope: Scope, step: Config['steps'][number] | undefined) {
  if (step === undefined) return { assignees: { users: [], roles: [], queues: [] }, notify: null };
  return { assignees: assigneesOf(scope, step.assignees), notify: evaluate(scope, step.notify) };
}

function text(field: string, value: Json): string {
  if (typeof value === 'string') return value;
  throw new RunError('EXPRESSION_ERROR', `${field} must be text, not ${JSON.stringify(value).slice(0, 100)}`);
}

/** One text is a list of one. */
function texts(field: string, value: Json): string[] {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return list.map((item) => text(field, item));
}
