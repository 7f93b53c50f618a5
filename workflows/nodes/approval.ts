/** `approval`: waits for people. The rules are in `../approvals.ts`, the doors in `../decisions.ts`. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { parseDuration } from '../../definitions/duration.ts';
import { RunError } from '../../definitions/errors.ts';
import type { Waiting } from '../../definitions/records.ts';
import type { ApprovalNode, Json, Template } from '../../definitions/types.ts';
import { approvalOutput, settledOutcome } from '../approvals.ts';
import type { ApprovalState } from '../checkpoint.ts';
import { checkedBytes, isRolloverDue, openWait } from '../context.ts';
import { takeEarlyDecisions } from '../decisions.ts';
import { SUSPENDED, type Step } from '../outcome.ts';
import { cancelledError, evaluate, type Visit, visitId } from '../scope.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly title: CompiledTemplate;
  readonly description: CompiledTemplate;
  readonly users: CompiledTemplate;
  readonly roles: CompiledTemplate;
  readonly queues: CompiledTemplate;
  readonly exclude: CompiledTemplate;
  readonly outcomes: readonly string[];
  readonly quorum: number;
  readonly rejectAt: number;
  readonly dueInMs: number | null;
  readonly timeoutMs: number | null;
  readonly priority: number | null;
}

export const approval: NodeType<ApprovalNode, Config, ApprovalState> = {
  compile({ id, name, config }) {
    const list = (template: Template | undefined): CompiledTemplate => compileTemplate(template ?? []);
    return {
      title: compileTemplate(config.title ?? name ?? id),
      description: compileTemplate(config.description ?? ''),
      users: list(config.assignees?.users),
      roles: list(config.assignees?.roles),
      queues: list(config.assignees?.queues),
      exclude: list(config.exclude),
      outcomes: config.outcomes ?? ['approved', 'rejected'],
      quorum: config.quorum ?? 1,
      rejectAt: config.rejectAt ?? 1,
      dueInMs: config.dueIn === undefined ? null : parseDuration(config.dueIn),
      timeoutMs: config.timeout === undefined ? null : parseDuration(config.timeout),
      priority: config.priority ?? null,
    };
  },

  enter(visit) {
    const { scope, config, startedAt } = visit;
    const value = (template: CompiledTemplate): Json => evaluate(scope, template);
    const state: ApprovalState = {
      kind: 'approval',
      taskId: visitId(visit),
      title: text('title', value(config.title)),
      description: text('description', value(config.description)),
      assignees: {
        users: texts('assignees.users', value(config.users)),
        roles: texts('assignees.roles', value(config.roles)),
        queues: texts('assignees.queues', value(config.queues)),
      },
      exclude: texts('exclude', value(config.exclude)),
      outcomes: config.outcomes,
      quorum: config.quorum,
      rejectAt: config.rejectAt,
      priority: config.priority,
      dueAt: config.dueInMs === null ? null : startedAt + config.dueInMs,
      timeoutAt: config.timeoutMs === null ? null : startedAt + config.timeoutMs,
      votes: [],
    };
    checkedBytes('text of the approval', state as unknown as Json);
    return state;
  },

  async proceed(visit, state) {
    const { run, scope, nodeId, label, seq } = visit;
    run.approvals.set(state.taskId, { state, nodeId, visit: visit.visit });
    openWait(run, seq, waitingFor(visit, state));
    try {
      takeEarlyDecisions(run, visit);
      for (;;) {
        const step = settledStep(visit, state);
        if (step !== null) return step;
        if (isRolloverDue(run)) return SUSPENDED;
        const ready = (): boolean => settledOutcome(state) !== null || isRolloverDue(run);
        await scope.effects.wait({ untilMs: state.timeoutAt, ready, summary: label });
      }
    } catch (rejection) {
      if (run.effects.describe(rejection).type !== 'CANCELLED') throw rejection;
      return settledStep(visit, state) ?? { kind: 'error', error: cancelledError(scope, nodeId) };
    } finally {
      run.approvals.delete(state.taskId);
    }
  },
};

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

function waitingFor(visit: Visit<Config>, state: ApprovalState): Waiting {
  const { assignees, title, quorum } = state;
  const people = [...assignees.users, ...assignees.roles, ...assignees.queues];
  const who = people.length > 0 ? people.join(', ') : 'anyone';
  return {
    nodeId: visit.nodeId,
    kind: 'approval',
    since: visit.startedAt,
    until: state.timeoutAt,
    for: `${quorum === 1 ? 'a decision' : `${quorum} decisions`} on "${title}" by ${who}`,
    task: {
      taskId: state.taskId,
      visit: visit.visit,
      title,
      description: state.description,
      assignees,
      outcomes: state.outcomes,
      quorum,
      priority: state.priority,
      dueAt: state.dueAt,
    },
  };
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
