/**
 * `fermata definitions`: publishing definitions, and which version new runs get.
 */
import type { Command } from 'commander';
import type { Fermata } from '../../client/index.ts';
import type { Answer } from '../answer.ts';
import { addStoreAction } from '../connection.ts';
import { addLaterVerbs } from '../later-verbs.ts';
import { definitionText } from '../output/definition-text.ts';
import { pageAnswer } from '../output/page.ts';
import { plain } from '../output/paint.ts';
import { timeText } from '../output/times.ts';
import { addExamples, addNoun, addPageOptions, type Call, type Session, wholeNumber } from '../verb.ts';
import { addPublish } from './definitions-publish.ts';

interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

export function addDefinitions(program: Command, session: Session): void {
  const noun = addNoun(program, 'definitions', 'publish definitions and say which version new runs get');
  addPublish(noun, session);
  addList(noun, session);
  addShow(noun, session);
  addActivate(noun, session);
  addSwitch(noun, session, 'enable');
  addSwitch(noun, session, 'disable');
  addExamples(noun, [
    ['fermata definitions publish lead.json', 'publish a file as a version'],
    ['fermata definitions list', 'see what is published'],
    ['fermata definitions activate order 3', 'go back to an older version'],
  ]);
  addLaterVerbs(noun);
}

function addList(noun: Command, session: Session): void {
  const command = noun.command('list').summary('list definitions').description('Lists definitions by id.');
  addPageOptions(command);
  addExamples(command, [
    ['fermata definitions list', 'all, page by page'],
    ['fermata definitions list --json', '{ "items": [{ "id", "name", "enabled", "activeVersion", … }], "cursor" }'],
  ]);
  addStoreAction<PageOptions>(command, session, list);
}

/** The store's pages of definitions go on behind an id. */
async function list(fermata: Fermata, { options }: Call<PageOptions>): Promise<Answer> {
  const { limit = 50, cursor } = options;
  const items = await fermata.definitions.list({ limit, ...(cursor === undefined ? {} : { after: cursor }) });
  const last = items.length >= limit ? (items.at(-1)?.id ?? null) : null;
  return pageAnswer(
    { items, cursor: last },
    {
      head: ['ID', 'NAME', 'VERSION', 'STARTS RUNS', 'CHANGED'],
      row: ({ id, name, activeVersion, enabled, updatedAt }, paint) => [
        plain(id),
        plain(name),
        String(activeVersion),
        enabled ? paint.green('yes') : paint.yellow('disabled'),
        timeText(updatedAt),
      ],
      none: 'No definition is published: fermata definitions publish FILE',
    },
  );
}

function addShow(noun: Command, session: Session): void {
  const command = noun
    .command('show')
    .summary('show a version with its document')
    .description('Shows one version of a definition with its document, and which versions there are.')
    .argument('<id>', 'id of the definition')
    .option('--version <n>', 'version (default: the active one)', wholeNumber);
  addExamples(command, [
    ['fermata definitions show order', 'the active version'],
    ['fermata definitions show order --version 2 --json', 'an older one, as JSON'],
  ]);
  addStoreAction<{ readonly version?: number }>(command, session, async (fermata, { args: [id = ''], options }) => {
    const [stored, versions] = await Promise.all([
      fermata.definitions.show(id, options.version),
      fermata.definitions.versions(id),
    ]);
    const document = { ...stored, versions };
    return { document, text: (paint) => definitionText(paint, document) };
  });
}

function addActivate(noun: Command, session: Session): void {
  const command = noun
    .command('activate')
    .summary('say which version new runs get')
    .description('Gives new runs this version. Runs under way stay on theirs. An older version is a roll-back.')
    .argument('<id>', 'id of the definition')
    .argument('<version>', 'number of the version', wholeNumber);
  addExamples(command, [['fermata definitions activate order 3', 'new runs get version 3']]);
  addStoreAction(command, session, async (fermata, { args: [id = '', number = ''] }) => {
    const version = Number(number);
    await fermata.definitions.activate(id, version);
    const text = `New runs of ${id} get version ${version}.`;
    return { document: { id, activeVersion: version }, text: () => text };
  });
}

const SWITCHES = {
  enable: {
    enabled: true,
    summary: 'let events start runs again',
    does: 'Events start runs of this definition again.',
  },
  disable: {
    enabled: false,
    summary: 'let events start no more runs',
    does: 'Events start no more runs of this definition. Runs under way go on, and a start by hand still works.',
  },
} as const;

function addSwitch(noun: Command, session: Session, verb: keyof typeof SWITCHES): void {
  const { enabled, summary, does } = SWITCHES[verb];
  const command = noun.command(verb).summary(summary).description(does).argument('<id>', 'id of the definition');
  addExamples(command, [[`fermata definitions ${verb} order`, summary]]);
  addStoreAction(command, session, async (fermata, { args: [id = ''] }) => {
    await fermata.definitions[verb](id);
    return { document: { id, enabled }, text: () => `${id} is ${verb}d.` };
  });
}
