/**
 * One call of the command line, from its arguments to its exit code.
 *
 * Invariants:
 * 1. Every refusal is printed once: under `--json` as `{ "error": … }` on standard output, else on standard error.
 * 2. Exit 0: done. 1: refused or failed. 2: wrong use.
 */
import { CommanderError } from 'commander';
import { type ErrorDocument, FermataError, isFermataError } from '../definitions/index.ts';
import { EXIT, type ExitCode } from './answer.ts';
import type { Io } from './io.ts';
import { errorText } from './output/error-text.ts';
import { printDocument, printNotes } from './output/print.ts';
import { createProgram } from './program.ts';
import { usageFault } from './usage-fault.ts';
import type { Session } from './verb.ts';

/** @param argv without the program: `['runs', 'list', '--json']` */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  const words = wordsOf(argv);
  const session: Session = { io, exit: EXIT.done };
  const program = createProgram(session);
  try {
    await program.parseAsync(words, { from: 'user' });
    return session.exit;
  } catch (thrown) {
    const error = thrown instanceof CommanderError ? usageFault(thrown, program, words) : thrown;
    return error === null ? EXIT.done : refuse(error, { io, json: wantsJson(words) });
  }
}

/** `fermata help runs list` is `fermata runs list --help`, and `fermata` alone asks for help too. */
function wordsOf(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help'];
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
}

/** Asked of the words, since a call that cannot be parsed has no options. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

function refuse(thrown: unknown, { io, json }: { readonly io: Io; readonly json: boolean }): ExitCode {
  const { code, message, details } = toRefusal(thrown, io);
  const error: ErrorDocument = { code, message, details: details ?? null };
  if (json) printDocument(io, { error });
  else printNotes(io, (paint) => errorText(paint, error));
  return code === 'usage.invalid' ? EXIT.usage : EXIT.refused;
}

/** Anything else is a fault of ours; its stack helps whoever reads the report. */
function toRefusal(thrown: unknown, io: Io): ErrorDocument {
  if (isFermataError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof Error) printNotes(io, (paint) => paint.dim(thrown.stack ?? ''));
  return new FermataError('internal.error', message, null, { cause: thrown });
}
