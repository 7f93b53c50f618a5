/** `emit`: publishes an event, once per visit whatever is retried, since the visit's own id is that of the event. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { RunError } from '../../definitions/errors.ts';
import { utf8Length } from '../../definitions/json/size.ts';
import { LIMITS } from '../../definitions/limits.ts';
import { isoTime } from '../../definitions/timestamps.ts';
import type { EmitNode, Json } from '../../definitions/types.ts';
import type { NodeState } from '../checkpoint.ts';
import { bookBytes, checkedBytes, record } from '../context.ts';
import { inSlot } from '../in-slot.ts';
import { SUSPENDED, type Step } from '../outcome.ts';
import { errorAt, evaluate, visitId } from '../scope.ts';
import type { NodeType } from './node-type.ts';

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

  enter({ run, scope, config }) {
    const data = evaluate(scope, config.data);
    const subject = subjectOf(evaluate(scope, config.subject));
    const bytes = checkedBytes('data of the event', data);
    bookBytes(run, bytes, 0);
    return { kind: 'emit', subject, data, bytes };
  },

  async proceed(visit, { subject, data }): Promise<Step> {
    const { run, scope, nodeId, label, config, seq, startedAt } = visit;
    const { definition, run: identity } = run.start;
    try {
      const order = { commandId: visitId(visit), runId: identity.id, nodeId, summary: label };
      const event = { type: config.type, subject, data, source: `fermata:${definition.id}`, time: isoTime(startedAt) };
      const turn = await inSlot(visit, () => scope.effects.emit({ ...order, ...event }));
      if (turn.kind === 'suspended') return SUSPENDED;
      const id = turn.value;
      record(run, { kind: 'emit', seq, emitted: { nodeId, id, type: config.type, subject, data, at: startedAt } });
      return { kind: 'success', output: { id } };
    } catch (rejection) {
      return { kind: 'error', error: errorAt(visit, run.effects.describe(rejection)) };
    }
  },
};

function subjectOf(value: Json): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && value !== '' && utf8Length(value) <= LIMITS.eventTextBytes) return value;
  const message = `subject must be a text of 1 to ${LIMITS.eventTextBytes} bytes`;
  throw new RunError('EXPRESSION_ERROR', message, { field: 'subject' });
}
