/**
 * `fermata events explain`: why an event started or woke what it did, and nothing else.
 */
import type { Command } from 'commander';
import type { Fermata } from '../../client/index.ts';
import type { Answer } from '../answer.ts';
import { addStoreAction } from '../connection.ts';
import { explanationText } from '../output/event-text.ts';
import { addExamples, type Call, type Session, wholeNumber } from '../verb.ts';

interface Options {
  readonly run?: string;
  readonly limit?: number;
}

export function addExplain(noun: Command, session: Session): void {
  const command = noun
    .command('explain')
    .summary('say what became of an event')
    .description(
      'Says what became of an event: per definition that listened to its type, the run that it started or the first ' +
        'filter that did not hold; per run that waits for its type, whether it took the event, or which part did not match.',
    )
    .argument('<id>', 'id of the event')
    .option('--run <id>', 'only waits of this run, those that are over too')
    .option('--limit <n>', 'at most so many waits that it missed (default: 100)', wholeNumber);
  addExamples(command, [
    ['fermata events explain evt-1', 'everything that listened to it'],
    ['fermata events explain evt-1 --run order/o-7', 'why one run did not take it'],
    [
      'fermata events explain evt-1 --json',
      '{ "event", "definitions": [{ "status", … }], "waits": [{ "status", … }] }',
    ],
  ]);
  addStoreAction<Options>(command, session, explain);
}

async function explain({ events }: Fermata, { args: [id = ''], options }: Call<Options>): Promise<Answer> {
  const { run, limit } = options;
  const explanation = await events.explain(id, {
    ...(run === undefined ? {} : { runId: run }),
    ...(limit === undefined ? {} : { limit }),
  });
  return { document: explanation, text: (paint) => explanationText(paint, explanation) };
}
