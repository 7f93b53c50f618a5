/** The handlers of a small newsroom. */
import { CommandError, defineCommand } from 'fermata/activities';
import { z } from 'zod';
import { exampleService } from '../example-service.ts';

const newsroom = exampleService('newsroom');
export const closeNewsroom = newsroom.close;

export const checkArticle = defineCommand({
  type: 'check_article',
  input: z.object({ slug: z.string(), check: z.enum(['language', 'links']) }),
  output: z.object({ notes: z.array(z.string()) }),
  timeout: '5m',
  async execute({ slug, check }, ctx) {
    if (slug.startsWith('draft-')) {
      throw new CommandError('NOT_FIT', `${slug} does not pass the check of its ${check}`, { retryable: false });
    }
    await newsroom.perform(ctx.idempotencyKey, 'check', { slug, check });
    return { notes: [] };
  },
});

export const publishArticle = defineCommand({
  type: 'publish_article',
  input: z.object({ slug: z.string(), channel: z.string(), share: z.number().min(0).max(1) }),
  output: z.object({ url: z.string() }),
  async execute({ slug, channel, share }, ctx) {
    if (channel === 'fax') throw new CommandError('NO_CHANNEL', 'nobody reads a fax', { retryable: false });
    await newsroom.perform(ctx.idempotencyKey, 'publish', { slug, channel, share });
    return { url: `https://${channel}.example.org/${slug}` };
  },
  /** Takes down what this visit has put up. */
  async rollback(_input, _output, ctx) {
    await newsroom.takeBack(ctx.undoes ?? ctx.idempotencyKey);
  },
});

export const measureReaders = defineCommand({
  type: 'measure_readers',
  input: z.object({ slug: z.string() }),
  output: z.object({ readToTheEnd: z.number() }),
  async execute({ slug }) {
    const readToTheEnd = slug.length > 40 ? 0.02 : 0.6;
    if (readToTheEnd < 0.05) {
      throw new CommandError('NOBODY_READS_IT', `${readToTheEnd * 100} % read it to the end`, { retryable: false });
    }
    return { readToTheEnd };
  },
});

export const commands = [checkArticle, publishArticle, measureReaders];
