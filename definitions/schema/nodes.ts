/**
 * Schemas of nodes, one per type (`docs/language.md`, sections 4 and 5).
 */
import { z } from 'zod';
import {
  actionDefaults,
  DEFINITION_ID,
  duration,
  errorType,
  expression,
  jsonSchema,
  label,
  nodeId,
  priority,
  taskQueue,
  template,
  templates,
  temporalName,
  text,
  typeName,
} from './fields.ts';

const base = {
  id: nodeId,
  name: text.exactOptional(),
  description: text.exactOptional(),
  nextNodeId: nodeId.exactOptional(),
  fallbackNodeId: nodeId.exactOptional(),
  catch: z
    .array(z.strictObject({ errors: z.array(z.union([z.literal('*'), errorType])).min(1), nextNodeId: nodeId }))
    .exactOptional(),
  transitions: z.record(z.string(), nodeId).exactOptional(),
  maxVisits: z.int().min(1).max(1_000_000_000).exactOptional(),
};

const undo = z.union([z.boolean(), z.strictObject({ command: typeName, payload: template.exactOptional() })]);

const action = z.strictObject({
  ...base,
  type: z.literal('action'),
  config: z.strictObject({
    ...actionDefaults,
    command: typeName,
    version: z.int().min(1).exactOptional(),
    payload: template.exactOptional(),
    heartbeat: duration.exactOptional(),
    local: z.boolean().exactOptional(),
    undo: undo.exactOptional(),
  }),
});

const condition = z.strictObject({
  ...base,
  type: z.literal('condition'),
  config: z.strictObject({ expression, onError: z.enum(['fail', 'true', 'false']).exactOptional() }),
});

const switchNode = z.strictObject({
  ...base,
  type: z.literal('switch'),
  config: z.strictObject({
    cases: z.array(z.strictObject({ when: expression, nextNodeId: nodeId })).min(1),
    defaultNodeId: nodeId.exactOptional(),
  }),
});

const assign = z.strictObject({ ...base, type: z.literal('assign'), config: z.strictObject({ vars: templates }) });

const delay = z.strictObject({
  ...base,
  type: z.literal('delay'),
  config: z.strictObject({
    delayMs: z.union([z.number(), z.string()]).exactOptional(),
    duration: text.exactOptional(),
    until: text.exactOptional(),
    cron: label.exactOptional(),
    timeZone: label.exactOptional(),
    calendar: label.exactOptional(),
  }),
});

const event = z.strictObject({
  ...base,
  type: z.literal('event'),
  config: z.strictObject({
    event: z.union([typeName, z.array(typeName).min(1).max(100)]),
    correlate: z.record(z.string(), template).exactOptional(),
    filter: expression.exactOptional(),
    timeout: duration.exactOptional(),
    lookback: duration.exactOptional(),
  }),
});

const assignees = z.strictObject({
  users: template.exactOptional(),
  roles: template.exactOptional(),
  queues: template.exactOptional(),
});

const approval = z.strictObject({
  ...base,
  type: z.literal('approval'),
  config: z.strictObject({
    title: template.exactOptional(),
    description: template.exactOptional(),
    assignees: assignees.exactOptional(),
    form: jsonSchema.exactOptional(),
    outcomes: z.array(nodeId).min(1).exactOptional(),
    quorum: z.int().min(1).exactOptional(),
    rejectAt: z.int().min(1).exactOptional(),
    exclude: template.exactOptional(),
    subject: template.exactOptional(),
    dueIn: duration.exactOptional(),
    reminders: z.array(duration).exactOptional(),
    escalate: z
      .array(
        z.strictObject({ after: duration, assignees: assignees.exactOptional(), notify: template.exactOptional() }),
      )
      .exactOptional(),
    timeout: duration.exactOptional(),
    priority: priority.exactOptional(),
  }),
});

const join = z.union([z.enum(['all', 'settled', 'any', 'first']), z.strictObject({ count: z.int().min(1) })]);
const shared = z.array(nodeId);

const parallel = z.strictObject({
  ...base,
  type: z.literal('parallel'),
  config: z.strictObject({
    get branches() {
      return z
        .array(
          z.strictObject({
            id: nodeId,
            get nodes() {
              return nodes;
            },
            output: template.exactOptional(),
            optional: z.boolean().exactOptional(),
          }),
        )
        .min(1);
    },
    join: join.exactOptional(),
    shared: shared.exactOptional(),
  }),
});

const forEach = z.strictObject({
  ...base,
  type: z.literal('forEach'),
  config: z.strictObject({
    items: expression,
    as: nodeId.exactOptional(),
    concurrency: z.int().min(1).max(200).exactOptional(),
    get nodes() {
      return nodes;
    },
    output: template.exactOptional(),
    join: join.exactOptional(),
    shared: shared.exactOptional(),
  }),
});

const scope = z.strictObject({
  ...base,
  type: z.literal('scope'),
  config: z.strictObject({
    get nodes() {
      return nodes;
    },
    output: template.exactOptional(),
    timeout: duration.exactOptional(),
    undo: z.boolean().exactOptional(),
  }),
});

const workflow = z.strictObject({
  ...base,
  type: z.literal('workflow'),
  config: z.strictObject({
    definitionId: z.string().regex(DEFINITION_ID).exactOptional(),
    version: z.union([z.int().min(1), z.literal('active')]).exactOptional(),
    workflowType: temporalName.exactOptional(),
    input: template.exactOptional(),
    taskQueue: taskQueue.exactOptional(),
    wait: z.boolean().exactOptional(),
    timeout: duration.exactOptional(),
  }),
});

const emit = z.strictObject({
  ...base,
  type: z.literal('emit'),
  config: z.strictObject({ event: typeName, subject: template.exactOptional(), data: template.exactOptional() }),
});

const end = z.strictObject({
  ...base,
  type: z.literal('end'),
  config: z
    .strictObject({
      status: z.enum(['completed', 'failed', 'cancelled']).exactOptional(),
      output: template.exactOptional(),
      error: z.strictObject({ type: errorType, message: template.exactOptional() }).exactOptional(),
    })
    .exactOptional(),
});

export const node = z.discriminatedUnion('type', [
  action,
  condition,
  switchNode,
  assign,
  delay,
  event,
  approval,
  parallel,
  forEach,
  scope,
  workflow,
  emit,
  end,
]);

/** A scope: a list of nodes that is walked from its first. */
export const nodes = z.array(node).min(1);
