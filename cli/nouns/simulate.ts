/**
 * `fermata simulate`: a definition walked on a virtual clock with mocks, printed as the document of its run. Needs no
 * server.
 */
import type { Command } from 'commander';
import type { Calendar, Definition, Json, RunRecord } from '../../definitions/index.ts';
import type { Mocks, SimulationProgress } from '../../testing/index.ts';
import type { Answer } from '../answer.ts';
import { handlersFrom } from '../input/handler-catalog.ts';
import { readCalendarFile } from '../input/read-calendar.ts';
import { readDefinition } from '../input/read-definition.ts';
import { readText } from '../input/read-file.ts';
import { JSON_FORMS, naming, readJsonOption } from '../input/read-json.ts';
import type { Io } from '../io.ts';
import { issuesText } from '../output/issues-text.ts';
import { mocksText } from '../output/mocks-text.ts';
import type { Paint } from '../output/paint.ts';
import { startProgress } from '../output/progress.ts';
import { timeText } from '../output/times.ts';
import { runAnswer } from '../run-answer.ts';
import { addAction, addExamples, type Call, type Session, wholeNumber } from '../verb.ts';

interface Options {
  readonly event?: string;
  readonly input?: string;
  readonly mocks?: string;
  readonly definitions?: readonly string[];
  readonly start?: string;
  readonly commands?: readonly string[];
  readonly calendars?: readonly string[];
  readonly maxVisits?: number;
}

export function addSimulate(program: Command, session: Session): void {
  const command = program
    .command('simulate')
    .summary('walk a definition on a virtual clock')
    .description(
      'Walks a definition as a worker would, on a virtual clock, with mocks instead of handlers and people. Days pass in ' +
        'milliseconds. Prints the run: its state, each visit, each command, and what it waits for if it never ends. ' +
        'Exit 1 when the run ends failed or cancelled.',
    )
    .argument('<file>', 'definition file, - for standard input')
    .option('--event <json>', `the event that starts the run (${JSON_FORMS})`)
    .option('--input <json>', `the input of the run (${JSON_FORMS})`)
    .option('--mocks <file>', 'answers of commands, decisions, cancels; JSON or YAML. A command without one answers {}')
    .option('--calendars <file...>', 'calendars that delays count on; JSON or YAML, one a file')
    .option('--definitions <file...>', 'definitions of the runs that it begins, which are then walked too')
    .option('--start <time>', 'when the run starts (default: 2027-01-01T00:00:00Z)')
    .option('--max-visits <n>', 'give up a run that goes on after so many visits (default: 200000)', wholeNumber)
    .option('--commands <file...>', 'handler modules, whose retry policies and timeouts then apply');
  addExamples(command, [
    [
      `fermata simulate lead.json --event '{ "type": "lead.created", "data": { "source": "Facebook" } }'`,
      'started by an event',
    ],
    ['fermata simulate lead.json --event @lead-created.json --mocks mocks.yaml', 'with answers of commands and people'],
    [`fermata simulate order.yaml --input '{ "total": 90 }' --json`, 'the run as JSON'],
  ]);
  addAction<Options>(command, session, simulateFile);
}

async function simulateFile({ args: [file = ''], options, io }: Call<Options>): Promise<Answer> {
  const handlers = await handlersFrom(io, options.commands);
  const known = handlers === null ? {} : { handlers };
  const { definition, warnings } = await readDefinition(io, file, known);
  const event = await readOptional(io, '--event', options.event);
  const input = await readOptional(io, '--input', options.input);
  const mocks = options.mocks === undefined ? {} : await readMocks(io, options.mocks);
  const calendars: Calendar[] = [];
  for (const one of options.calendars ?? []) calendars.push(await readCalendarFile(io, one));
  const definitions: Definition[] = [];
  for (const one of options.definitions ?? []) definitions.push((await readDefinition(io, one, known)).definition);
  const story: RunRecord[] = [];
  const { simulate } = await import('../../testing/index.ts');
  const progress = startProgress(io);
  const run = await simulate(definition, {
    ...known,
    ...(event === undefined ? {} : { event }),
    ...(input === undefined ? {} : { input }),
    mocks,
    definitions,
    calendars,
    onRecord: (record) => story.push(record),
    onProgress: (now) => progress.step(progressText(now)),
    ...(options.maxVisits === undefined ? {} : { maxVisits: options.maxVisits }),
    ...(options.start === undefined ? {} : { start: options.start }),
  }).finally(() => progress.stop());
  const notes = (paint: Paint): string =>
    [issuesText(paint, warnings), mocksText(paint, { definitions: [definition, ...definitions], mocks, story })]
      .filter((text) => text !== '')
      .join('\n');
  return { ...runAnswer(run), notes };
}

function progressText({ visits, maxVisits, now, nodeId }: SimulationProgress): string {
  return `${visits} of at most ${maxVisits} visits, at ${nodeId}, ${timeText(now)}`;
}

async function readOptional(io: Io, name: string, value: string | undefined): Promise<Json | undefined> {
  return value === undefined ? undefined : await readJsonOption(io, name, value);
}

async function readMocks(io: Io, file: string): Promise<Mocks> {
  const { parseMocks } = await import('../../testing/index.ts');
  const { name, text } = await readText(io, file);
  return naming(name, () => parseMocks(text));
}
