/**
 * `fermata events`: publishing events; `explain` is in a file of its own.
 */
import type { Command } from 'commander';
import type { NewEvent } from '../../client/index.ts';
import { FermataError, type Json, type JsonObject } from '../../definitions/index.ts';
import { type Answer, EXIT } from '../answer.ts';
import { addServerOptions, type ServerOptions, STORE_ONLY, withFermata } from '../connection.ts';
import { readText } from '../input/read-file.ts';
import { JSON_FORMS, parseNamed, readJsonOption } from '../input/read-json.ts';
import type { Io } from '../io.ts';
import { publishedEventText } from '../output/event-text.ts';
import { addAction, addExamples, addNoun, type Call, type Session } from '../verb.ts';
import { addExplain } from './events-explain.ts';

/** `source` of an event that gives none. */
const SOURCE = '/fermata/cli';

interface Options extends ServerOptions {
  readonly type?: string;
  readonly source?: string;
  readonly data?: string;
  readonly id?: string;
  readonly subject?: string;
  readonly time?: string;
}

export function addEvents(program: Command, session: Session): void {
  const noun = addNoun(
    program,
    'events',
    'publish events, which start runs and wake those that wait, and see what became of them',
  );
  const command = noun
    .command('publish')
    .summary('publish an event')
    .description(
      'Publishes an event and says, per definition that listens to its type, which run it started or why none, and which waiting runs it met. ' +
        'The same id again is the same event: it starts nothing twice. Exit 1 when a definition takes the event but ' +
        'refuses the start. While Temporal is down the event is stored all the same, and its runs begin later.',
    )
    .argument('[file]', 'the whole event (a CloudEvents 1.0 envelope) as a JSON file, - for standard input')
    .option('--type <type>', 'type of the event, such as lead.created')
    .option('--data <json>', `its data (${JSON_FORMS})`)
    .option('--source <source>', `where it comes from (default: ${SOURCE})`)
    .option('--id <id>', 'unique id (default: a random one)')
    .option('--subject <subject>', 'what it is about')
    .option('--time <time>', 'when it happened (default: now)');
  const example = `fermata events publish --type lead.created --data '{ "source": "Facebook", "id": "L-1" }'`;
  addExamples(command, [
    [example, 'type and data'],
    ['fermata events publish --type lead.created --data @lead.json --id lead-1', 'data from a file, with an id'],
    ['fermata events publish event.json --json', '{ "eventId", "created", "runs": [{ "definitionId", "runId", … }] }'],
  ]);
  addExamples(noun, [
    [example, 'publish an event'],
    ['fermata events explain evt-1', 'what became of one'],
  ]);
  addServerOptions(command);
  addAction<Options>(command, session, publish);
  addExplain(noun, session);
}

async function publish(call: Call<Options>): Promise<Answer> {
  const event = await readEvent(call.io, call.args[0], call.options);
  // The client's door checks the form of events, from here as from anywhere.
  const published = await withFermata(call, ({ events }) => events.publish(event as unknown as NewEvent), STORE_ONLY);
  const type = JSON.stringify(event['type']);
  const refused = published.runs.some(({ status }) => status === 'refused');
  return {
    document: published,
    text: (paint) => publishedEventText(paint, type, published),
    exit: refused ? EXIT.refused : EXIT.done,
  };
}

/** Options go before what the file says. @throws FermataError `usage.invalid`, `json.invalid`, `event.invalid` */
async function readEvent(io: Io, file: string | undefined, options: Options): Promise<JsonObject> {
  const envelope = file === undefined ? {} : await readEnvelope(io, file);
  const { type, source, id, subject, time } = options;
  const given = Object.entries({ type, source, id, subject, time }).filter(([, value]) => value !== undefined);
  const data = options.data === undefined ? {} : { data: await readJsonOption(io, '--data', options.data) };
  const event: JsonObject = { source: SOURCE, ...envelope, ...(Object.fromEntries(given) as JsonObject), ...data };
  if ('type' in event) return event;
  throw new FermataError('usage.invalid', 'the event has no type; give --type, or a file with the whole event', {
    remedy: 'Read the help: fermata events publish --help',
  });
}

async function readEnvelope(io: Io, file: string): Promise<JsonObject> {
  const { name, text } = await readText(io, file.startsWith('@') ? file.slice(1) : file);
  const value: Json = parseNamed({ name, text });
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new FermataError('event.invalid', `${name}: an event is an object { type, source, data }`, { path: '' });
}
