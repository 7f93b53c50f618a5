import { defineCommand } from 'fermata/activities';
import { cel, define, eventType, get, text } from 'fermata/definitions';
import { z } from 'zod';

const assignLead = defineCommand({
  type: 'assign_lead',
  input: z.object({ leadId: z.string(), team: z.enum(['enterprise', 'sales']) }),
  output: z.object({ ownerId: z.string() }),
  execute: async () => ({ ownerId: 'olga' }),
  rollback() {},
});
const sendEmail = defineCommand({
  type: 'send_email',
  input: z.object({ to: z.string(), subject: z.string() }),
  output: z.object({ messageId: z.string() }),
  execute: async () => ({ messageId: 'm-1' }),
});

const leadCreated = eventType(
  'lead.created',
  z.object({ id: z.string(), name: z.string(), email: z.string(), company: z.object({ size: z.number() }).optional() }),
);

export const onboarding = define('lead-onboarding', { timeout: '30d' })
  .on(leadCreated)
  .condition('is_large', ({ event }) => cel`${get(event.data.company.size, 0)} >= 50`)
  .action('assign', assignLead, ({ event }) => ({ leadId: event.data.id, team: 'enterprise' }), { undo: true })
  .delay('pause', '2h')
  .action('welcome', sendEmail, ({ event, nodes }) => ({
    to: event.data.email,
    subject: text`Welcome, ${event.data.name}! ${nodes.assign.output.ownerId} looks after you.`,
  }))
  .build();

export const paid = eventType('order.paid').of<{ orderId: string; amount: number }>();

export const order = define('order', { onFailure: 'close' })
  .input(
    z.object({ id: z.string(), total: z.number(), lines: z.array(z.object({ sku: z.string(), count: z.number() })) }),
  )
  .vars(({ input }) => ({ due: input.total, rounds: 0 }))
  .parallel('begin', {
    owner: (branch) =>
      branch
        .action('assign', assignLead, ({ input }) => ({ leadId: input.id, team: 'sales' }), { undo: true })
        .output(({ nodes }) => nodes.assign.output.ownerId),
    parts: (branch) =>
      branch.forEach(
        'each',
        ({ input }) => ({ items: input.lines, as: 'line' }),
        (each) => each.action('reserve', 'reserve_part', ({ line }) => ({ sku: line.sku, count: line.count })),
      ),
  })
  .approval(
    'check',
    ({ input, nodes }) => ({
      title: text`Order ${input.id} of ${input.total} EUR`,
      assignees: { users: [nodes.begin.output.owner] },
      form: z.object({ discount: z.number() }),
      timeout: '1d',
    }),
    { transitions: { rejected: 'refused', timeout: 'refused' } },
  )
  .assign('discount', ({ vars, nodes }) => ({ due: cel`${vars.due} - ${nodes.check.output.data.discount}` }))
  .event(
    'payment',
    paid,
    ({ input, vars }) => ({
      correlate: { 'data.orderId': input.id },
      filter: ({ event }) => cel`${event.data.amount} >= ${vars.due}`,
      timeout: '7d',
    }),
    { transitions: { timeout: 'refused' } },
  )
  .end('done', ({ nodes }) => ({ output: { paid: nodes.payment.output.data.amount } }))
  .end('refused', { status: 'failed', error: { type: 'ORDER_REFUSED' } })
  .build();
