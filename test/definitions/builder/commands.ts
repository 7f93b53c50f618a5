/** Commands and events that the tests of the builder share. */
import { z } from 'zod';
import { defineCommand } from '../../../activities/index.ts';
import { eventType } from '../../../definitions/index.ts';

export const assignLead = defineCommand({
  type: 'assign_lead',
  input: z.object({ leadId: z.string(), team: z.enum(['enterprise', 'sales']) }),
  output: z.object({ ownerId: z.string(), load: z.number(), note: z.string().optional() }),
  execute: () => ({ ownerId: 'o', load: 1 }),
  rollback() {},
});

export const addTag = defineCommand({
  type: 'add_tag',
  input: z.object({ leadId: z.string(), tag: z.string(), weight: z.number().optional() }),
  output: z.object({ tags: z.array(z.string()) }),
  execute: () => ({ tags: [] }),
});

export const sendEmail = defineCommand({
  type: 'send_email',
  input: z.object({ to: z.email(), template: z.string(), owner: z.string() }),
  output: z.object({ messageId: z.string() }),
  execute: () => ({ messageId: 'm' }),
});

export const sendSms = defineCommand({
  type: 'send_sms',
  input: z.object({ to: z.string(), text: z.string() }),
  output: z.object({ messageId: z.string() }),
  execute: () => ({ messageId: 'm' }),
});

export const ping = defineCommand({ type: 'ping', input: z.void(), output: z.void(), execute() {} });

export interface Lead {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly source: string;
  readonly company: { readonly size: number; readonly country?: string };
  readonly referrer?: { readonly id: string };
}

export const paid = eventType('order.paid', z.object({ orderId: z.string(), amount: z.number() }));
export const refused = eventType('order.refused').of<{ orderId: string; reason: string }>();
