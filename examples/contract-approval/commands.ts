/** The archive that signed contracts go to. What people do is no handler: they decide, by the client or the command line. */
import { defineCommand } from 'fermata/activities';
import type { NotifyHook } from 'fermata/workers';
import { z } from 'zod';
import { exampleService } from '../example-service.ts';

const archive = exampleService('archive');
export const closeArchive = archive.close;

export const fileContract = defineCommand({
  type: 'file_contract',
  input: z.object({ contractId: z.string(), text: z.string() }),
  output: z.object({ fileId: z.string() }),
  async execute({ contractId, text }, ctx) {
    return { fileId: await archive.perform(ctx.idempotencyKey, 'file', { contractId, text }) };
  },
});

/** Tells people of what waits for them: the `notify` of a worker. Called again where it throws, with the same key. */
export const notify: NotifyHook = async ({ key, kind, to, task }) => {
  await archive.perform(key, `mail: ${kind}`, { to, title: task.title });
};

export const commands = [fileContract];
