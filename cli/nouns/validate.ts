/**
 * `fermata validate`: every fault of definition files, with line and column. Needs no server.
 */
import type { Command } from 'commander';
import { hasErrors, type Issue } from '../../definitions/index.ts';
import { type Answer, EXIT } from '../answer.ts';
import { checkFile } from '../input/read-definition.ts';
import { handlersFrom } from '../input/handler-catalog.ts';
import { issuesText, countText } from '../output/issues-text.ts';
import type { Paint } from '../output/paint.ts';
import { addAction, addExamples, type Call, type Session } from '../verb.ts';

interface Options {
  readonly commands?: readonly string[];
}

export function addValidate(program: Command, session: Session): void {
  const command = program
    .command('validate')
    .summary('check definition files')
    .description(
      'Checks definitions, JSON or YAML, and prints every fault with its place: file:line:column severity code message. ' +
        'Exit 0 when all are valid; warnings do not count. What is valid but not run by this release is a warning.',
    )
    .argument('<file...>', 'definition files, - for standard input')
    .option('--commands <file...>', 'handler modules: unknown commands and payloads that do not fit are found too');
  addExamples(command, [
    ['fermata validate lead.json', 'one file'],
    ['fermata validate flows/*.yaml --commands commands.ts', 'several, against the handlers that will run them'],
    ['fermata validate lead.json --json', '{ "valid": false, "issues": [{ "code", "line", "column", … }] }'],
  ]);
  addAction<Options>(command, session, validate);
}

async function validate({ args, options, io }: Call<Options>): Promise<Answer> {
  const handlers = await handlersFrom(io, options.commands);
  const known = handlers === null ? {} : { handlers, handlersComplete: true };
  const issues: Issue[] = [];
  for (const file of args) {
    const result = await checkFile(io, file, { ...known, runnable: true });
    issues.push(...result.issues.map(asValidation));
  }
  const valid = !hasErrors(issues);
  return {
    document: { valid, issues },
    text: (paint) => issuesText(paint, issues),
    notes: (paint) => summary(paint, args, issues),
    exit: valid ? EXIT.done : EXIT.refused,
  };
}

/** The language allows it; that this release does not run it is for whoever publishes it here. */
function asValidation(issue: Issue): Issue {
  return issue.code === 'definition.unsupported' ? { ...issue, severity: 'warning' } : issue;
}

function summary(paint: Paint, files: readonly string[], issues: readonly Issue[]): string {
  const what = files.length === 1 ? files.join('') : `${files.length} files`;
  const counts = countText(issues);
  if (hasErrors(issues)) return paint.red(`${what}: ${counts}`);
  return paint.green(`${what}: valid${counts === '' ? '' : `, ${counts}`}`);
}
