/**
 * How a verb is declared: commander's command with `--json`, examples, and a function from its arguments to an answer.
 *
 * Invariants:
 * 1. With `--json` standard output is exactly one JSON document; everything else goes to standard error.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { Answer, ExitCode } from './answer.ts';
import { EXIT } from './answer.ts';
import type { Io } from './io.ts';
import { printDocument, printNotes, printText } from './output/print.ts';

/** One call of the command line. */
export interface Session {
  readonly io: Io;
  exit: ExitCode;
}

/** What a verb was called with. */
export interface Call<Options> {
  readonly args: readonly string[];
  readonly options: Options & { readonly json?: boolean };
  readonly io: Io;
}

/** Lines of a help text: the command, and what it does. */
export type Examples = readonly (readonly [command: string, explanation: string])[];

export function addExamples(command: Command, examples: Examples): void {
  const lines = examples.map(([line, explanation]) => `  # ${explanation}\n  $ ${line}`);
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** A noun, whose verbs are added to it. */
export function addNoun(program: Command, name: string, summary: string): Command {
  return program
    .command(name)
    .usage('<verb> [options]')
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .helpCommand(false)
    .commandsGroup('Verbs:');
}

/** Reads a whole number from 1, for `option()` and `argument()`. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}

/** `--limit` and `--cursor`, of verbs that list. */
export function addPageOptions(command: Command): void {
  command
    .option('--limit <n>', 'at most so many, up to 200 (default: 50)', wholeNumber)
    .option('--cursor <cursor>', 'go on behind the page that gave this cursor');
}

/** Gives a verb what all verbs have, and its work. Call it last. */
export function addAction<Options>(
  command: Command,
  session: Session,
  run: (call: Call<Options>) => Promise<Answer>,
): void {
  command.option('--json', 'print one JSON document on standard output, nothing else');
  command.action(async () => {
    const options = command.opts<Options & { json?: boolean }>();
    const answer = await run({ args: command.args, options, io: session.io });
    print(answer, options.json === true, session.io);
    await answer.goOn?.();
    session.exit = answer.exit ?? EXIT.done;
  });
}

function print(answer: Answer, json: boolean, io: Io): void {
  if (json) return printDocument(io, answer.document);
  printText(io, answer.text);
  if (answer.notes !== undefined) printNotes(io, answer.notes);
}
