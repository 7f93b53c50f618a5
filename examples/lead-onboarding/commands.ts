/**
 * The handlers: what the words `assign_lead`, `add_tag`, `send_email` and `send_sms` of the definition do.
 *
 * A handler may be called more than once for one visit (a crash, a lost answer), always with the same
 * `ctx.idempotencyKey`. Each of these therefore writes under that key: the work takes effect once.
 */
import { CommandError, defineCommand } from 'fermata/activities';
import { z } from 'zod';
import * as crm from './crm.ts';

export const assignLead = defineCommand({
  type: 'assign_lead',
  input: z.object({ leadId: z.string(), team: z.string() }),
  output: z.object({ ownerId: z.string() }),
  retry: { maxAttempts: 5 },
  timeout: '30s',
  async execute({ leadId, team }, ctx) {
    const ownerId = await crm.assign({ leadId, team, key: ctx.idempotencyKey });
    if (ownerId === null) {
      throw new CommandError('NO_OWNER', `nobody is in the team ${team}`, { retryable: false });
    }
    ctx.log.info('lead assigned', { leadId, ownerId });
    return { ownerId };
  },
  /** Called when the run fails or is cancelled later, since the node has `"undo": true`. */
  async rollback({ leadId }, _output, ctx) {
    await crm.unassign(leadId, ctx.undoes ?? ctx.idempotencyKey);
  },
});

export const addTag = defineCommand({
  type: 'add_tag',
  input: z.object({ leadId: z.string(), tag: z.string() }),
  output: z.object({ tags: z.array(z.string()) }),
  async execute({ leadId, tag }) {
    return { tags: await crm.addTag(leadId, tag) };
  },
});

const EMAILS: Readonly<Record<string, string>> = {
  welcome: 'Welcome! Your contact with us is {owner}.',
};

export const sendEmail = defineCommand({
  type: 'send_email',
  input: z.object({ to: z.email(), template: z.string(), owner: z.string() }),
  output: z.object({ messageId: z.string() }),
  async execute({ to, template, owner }, ctx) {
    const text = EMAILS[template];
    if (text === undefined) {
      throw new CommandError('NO_TEMPLATE', `there is no email template ${template}`, { retryable: false });
    }
    const body = text.replace('{owner}', owner);
    await crm.send({ channel: 'email', recipient: to, body, key: ctx.idempotencyKey });
    return { messageId: ctx.idempotencyKey };
  },
});

export const sendSms = defineCommand({
  type: 'send_sms',
  input: z.object({ to: z.string(), text: z.string() }),
  output: z.object({ messageId: z.string() }),
  async execute({ to, text }, ctx) {
    await crm.send({ channel: 'sms', recipient: to, body: text, key: ctx.idempotencyKey });
    return { messageId: ctx.idempotencyKey };
  },
});

export const commands = [assignLead, addTag, sendEmail, sendSms];
