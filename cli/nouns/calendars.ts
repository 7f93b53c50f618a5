/**
 * `fermata calendars`: working-time calendars, which delays count on.
 */
import type { Command } from 'commander';
import type { Fermata } from '../../client/index.ts';
import type { Answer } from '../answer.ts';
import { addConnectedAction, addServerOptions, type ServerOptions, withFermata } from '../connection.ts';
import { readCalendarFile } from '../input/read-calendar.ts';
import { calendarText } from '../output/calendar-text.ts';
import { pageAnswer } from '../output/page.ts';
import { plain } from '../output/paint.ts';
import { timeText } from '../output/times.ts';
import { addAction, addExamples, addNoun, addPageOptions, type Call, type Session, wholeNumber } from '../verb.ts';

interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

export function addCalendars(program: Command, session: Session): void {
  const noun = addNoun(program, 'calendars', 'store the working-time calendars that delays count on');
  addPut(noun, session);
  addList(noun, session);
  addShow(noun, session);
  addExamples(noun, [
    ['fermata calendars put office.yaml', 'store a file as a version'],
    ['fermata calendars list', 'see what is stored'],
  ]);
}

function addPut(noun: Command, session: Session): void {
  const command = noun
    .command('put')
    .summary('store a calendar file as a version')
    .description(
      'Stores a calendar. Other content than that of the newest version makes the next one. Runs that have counted on the ' +
        'calendar before keep their version; all others get the newest.',
    )
    .argument('<file>', 'calendar file, JSON or YAML, - for standard input');
  addExamples(command, [
    ['fermata calendars put office.yaml', 'store it'],
    ['fermata calendars put office.yaml --json', '{ "name", "version", "created" }'],
  ]);
  addServerOptions(command);
  addAction<ServerOptions>(command, session, async (call) => {
    const calendar = await readCalendarFile(call.io, call.args[0] ?? '');
    const put = await withFermata(call, (fermata) => fermata.calendars.put(calendar));
    const { name, version, created } = put;
    const text = created ? `${name} has version ${version} now.` : `${name} is unchanged: version ${version}.`;
    return { document: put, text: () => text };
  });
}

function addList(noun: Command, session: Session): void {
  const command = noun.command('list').summary('list calendars').description('Lists calendars by name.');
  addPageOptions(command);
  addExamples(command, [
    ['fermata calendars list', 'all, page by page'],
    ['fermata calendars list --json', '{ "items": [{ "name", "version", "updatedAt" }], "cursor" }'],
  ]);
  addConnectedAction<PageOptions>(command, session, list);
}

/** The store's pages of calendars go on behind a name. */
async function list(fermata: Fermata, { options }: Call<PageOptions>): Promise<Answer> {
  const { limit = 50, cursor } = options;
  const items = await fermata.calendars.list({ limit, ...(cursor === undefined ? {} : { after: cursor }) });
  const last = items.length >= limit ? (items.at(-1)?.name ?? null) : null;
  return pageAnswer(
    { items, cursor: last },
    {
      head: ['NAME', 'VERSION', 'CHANGED'],
      row: ({ name, version, updatedAt }) => [plain(name), String(version), timeText(updatedAt)],
      none: 'No calendar is stored: fermata calendars put FILE',
    },
  );
}

function addShow(noun: Command, session: Session): void {
  const command = noun
    .command('show')
    .summary('show a calendar')
    .description('Shows one version of a calendar with its document.')
    .argument('<name>', 'name of the calendar')
    .option('--version <n>', 'version (default: the newest)', wholeNumber);
  addExamples(command, [
    ['fermata calendars show office', 'the newest version'],
    ['fermata calendars show office --version 2 --json', 'an older one, as JSON'],
  ]);
  addConnectedAction<{ readonly version?: number }>(
    command,
    session,
    async (fermata, { args: [name = ''], options }) => {
      const stored = await fermata.calendars.get(name, options.version);
      return { document: stored, text: (paint) => calendarText(paint, stored) };
    },
  );
}
