/**
 * `fermata source`: a definition file as the TypeScript that builds it. Needs no server.
 */
import type { Command } from 'commander';
import { toBuilderSource } from '../../definitions/index.ts';
import type { Answer } from '../answer.ts';
import { readDefinition } from '../input/read-definition.ts';
import { addAction, addExamples, type Call, type Session } from '../verb.ts';

export function addSource(program: Command, session: Session): void {
  const command = program
    .command('source')
    .summary('print a definition as TypeScript')
    .description(
      'Prints a definition, JSON or YAML, as a TypeScript module that builds the same one. What has no type yet is not ' +
        'checked in it: give it your commands and the types of your events.',
    )
    .argument('<file>', 'a definition file, - for standard input');
  addExamples(command, [
    ['fermata source lead.json > lead.ts', 'go on in TypeScript'],
    ['fermata definitions show lead --json | jq .document | fermata source -', 'of one that is published'],
  ]);
  addAction<object>(command, session, source);
}

async function source({ args: [file = '-'], io }: Call<object>): Promise<Answer> {
  const { definition } = await readDefinition(io, file);
  const text = toBuilderSource(definition);
  return { document: { definitionId: definition.id, source: text }, text: () => text.trimEnd() };
}
