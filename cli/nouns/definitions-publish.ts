/**
 * `fermata definitions publish`: files become versions.
 *
 * Invariants:
 * 1. All files are read and checked before the first is published.
 */
import type { Command } from 'commander';
import type { Fermata, PublishedDefinition } from '../../client/index.ts';
import { type FermataError, isFermataError, type Issue } from '../../definitions/index.ts';
import type { Answer } from '../answer.ts';
import { addServerOptions, type ServerOptions, STORE_ONLY, withFermata } from '../connection.ts';
import { definitionRefusal, type ReadDefinition, readDefinition } from '../input/read-definition.ts';
import { issuesText } from '../output/issues-text.ts';
import { type Paint, plain } from '../output/paint.ts';
import { addAction, addExamples, type Call, type Session } from '../verb.ts';

interface Options extends ServerOptions {
  readonly activate: boolean;
}

export function addPublish(noun: Command, session: Session): void {
  const command = noun
    .command('publish')
    .summary('publish definition files as versions')
    .description(
      'Publishes definition files. Other content makes the next version, the same content changes nothing. ' +
        'With --json one file gives an object, several give a list.',
    )
    .argument('<file...>', 'definition files, JSON or YAML, - for standard input')
    .option('--no-activate', 'leave the active version as it is; the first version is always active');
  addExamples(command, [
    ['fermata definitions publish lead.json', 'publish one file'],
    ['fermata definitions publish flows/*.yaml', 'publish several'],
    ['fermata definitions publish order.yaml --no-activate', 'look at it before new runs get it'],
    ['fermata definitions publish lead.json --json', '{ "id", "version", "created", "active", … }'],
  ]);
  addServerOptions(command);
  addAction<Options>(command, session, publish);
}

async function publish(call: Call<Options>): Promise<Answer> {
  const sources: ReadDefinition[] = [];
  for (const file of call.args) sources.push(await readDefinition(call.io, file));
  const { activate } = call.options;
  const publishAll = async (fermata: Fermata) => {
    const done: PublishedDefinition[] = [];
    for (const source of sources) done.push(await publishSource(fermata, source, activate));
    return done;
  };
  const published = await withFermata(call, publishAll, STORE_ONLY);
  return {
    document: published.length === 1 ? published[0] : published,
    text: (paint) => published.map((one) => publishedText(paint, one)).join('\n'),
    notes: (paint) =>
      issuesText(
        paint,
        published.flatMap(({ warnings }) => warnings),
      ),
  };
}

/** @throws FermataError `definition.invalid`, `definition.unsupported`, naming the file */
export async function publishSource(
  fermata: Fermata,
  { name, text }: Pick<ReadDefinition, 'name' | 'text'>,
  activate = true,
): Promise<PublishedDefinition> {
  try {
    return await fermata.definitions.publish(text, { file: name, activate });
  } catch (error) {
    if (!isFermataError(error) || !hasIssues(error)) throw error;
    throw definitionRefusal(name, error.details.issues);
  }
}

function hasIssues(error: FermataError): error is FermataError & { readonly details: { readonly issues: Issue[] } } {
  const { details } = error;
  return typeof details === 'object' && details !== null && 'issues' in details && Array.isArray(details['issues']);
}

export function publishedText(paint: Paint, { id, version, created, active, enabled }: PublishedDefinition): string {
  const notes = [created ? 'new' : 'there already', active ? 'active' : 'not active', ...(enabled ? [] : ['disabled'])];
  return `${plain(id)} version ${version} ${paint.dim(`(${notes.join(', ')})`)}`;
}
