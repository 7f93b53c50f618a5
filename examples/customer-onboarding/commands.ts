/** The one handler of the journey: mail by template. */
import { CommandError, defineCommand } from 'fermata/activities';
import { z } from 'zod';
import { exampleService } from '../example-service.ts';

const mail = exampleService('mail');
export const closeMail = mail.close;

const TEMPLATES: Readonly<Record<string, string>> = {
  welcome: 'Welcome, {name}! Set up your workspace, it takes five minutes.',
  reminder: 'Your workspace is waiting for you, {name}.',
  first_project: 'Well done, {name}: your first project.',
};

export const sendMail = defineCommand({
  type: 'send_mail',
  input: z.object({ to: z.email(), template: z.string(), name: z.string() }),
  output: z.object({ messageId: z.string() }),
  retry: { maxAttempts: 5, initialInterval: '10s' },
  async execute({ to, template, name }, ctx) {
    const text = TEMPLATES[template];
    if (text === undefined) {
      throw new CommandError('NO_TEMPLATE', `there is no mail template ${template}`, { retryable: false });
    }
    return { messageId: await mail.perform(ctx.idempotencyKey, template, { to, text: text.replace('{name}', name) }) };
  },
});

export const commands = [sendMail];
