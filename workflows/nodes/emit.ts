/** `emit`: publishes an event, once per visit whatever is retried, since the visit's own id is that of the event. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { RunError } from '../../definitions/errors.ts';
import { utf8Length } from '../../definitions/json/size.ts';
import { LIMITS } from '../../definitions/limits.ts';
import { isoTime } from '../../definitions/timestamps.ts';
import type { EmitNode, Json } from '../../definitions/types.ts';
import type { NodeState } from '../checkpoint.ts';
import { checkedBytes, record } from '../context.ts';
import type { Step } from '../outcome.ts';
import { cancelledError, evaluate, isStopping, type Visit, visitId } from '../scope.ts';
import type { NodeType } from './node-type.ts';

/** An emit is awaited before a run goes over into a fresh history, so its state is in no checkpoint. */
type State = Extract<NodeState, { kind: 'emit' }>;

interface Config {
  readonly type: string;
  readonly subject: CompiledTemplate;
  readonly data: CompiledTemplate;
}

export const emit: NodeType<EmitNode, Config, State> = {
  compile({ config: { event, subject = null, data = null } }) {
    return { type: event, subject: compileTemplate(subject), data: compileTemplate(data) };
  },

  enter({ scope, config }) {
    const data = evaluate(scope, config.data);
    checkedBytes('data of the event', data);
    return { kind: 'emit', subject: subjectOf(evaluate(scope, config.subject)), data };
  },

  async proceed(visit, { subject, data }): Promise<Step> {
    const { run, scope, nodeId, label, config, seq, startedAt } = visit;
    const { definition, run: identity } = run.start;
    try {
      const order = { commandId: visitId(visit), runId: identity.id, nodeId, summary: label };
      const event = { type: config.type, subject, data, source: `fermata:${definition.id}`, time: isoTime(startedAt) };
      const id = await scope.effects.emit({ ...order, ...event });
      record(run, { kind: 'emit', seq, emitted: { nodeId, id, type: config.type, subject, data, at: startedAt } });
      return { kind: 'success', output: { id } };
    } catch (rejection) {
      const error = { ...run.effects.describe(rejection), nodeId };
      return { kind: 'error', error: interrupted(visit, error.type) ? cancelledError(scope, nodeId) : error };
    }
  },
};

function interrupted({ scope }: Visit<Config>, type: string): boolean {
  return type === 'CANCELLED' && isStopping(scope);
}

function subjectOf(value: Json): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && value !== '' && utf8Length(value) <= LIMITS.eventTextBytes) return value;
  const message = `subject must be a text of 1 to ${LIMITS.eventTextBytes} bytes`;
  throw new RunError('EXPRESSION_ERROR', message, { field: 'subject' });
}
