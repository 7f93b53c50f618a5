/**
 * Wrong use as commander reports it, in our words.
 */
import type { Command, CommanderError } from 'commander';
import { FermataError } from '../definitions/index.ts';

/** The error for a call that commander refused; `null` when it only printed help or the version. */
export function usageFault(error: CommanderError, program: Command, argv: readonly string[]): FermataError | null {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return null;
  const command = calledCommand(program, argv);
  const path = pathOf(command);
  const remedy = `Read the help: ${path} --help`;
  if (error.code === 'commander.help' || (error.code === 'commander.unknownOption' && lacksVerb(command, argv))) {
    const verbs = command.createHelp().visibleCommands(command);
    const names = verbs.map((verb) => verb.name()).filter((name) => name !== 'help');
    const message = `\`${path}\` needs a verb: ${names.join(', ')}`;
    return new FermataError('usage.invalid', message, { command: path, remedy });
  }
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new FermataError('usage.invalid', message, { command: path, remedy }, { cause: error });
}

/** `fermata runs --json`: what is wrong is not the option. */
function lacksVerb(command: Command, argv: readonly string[]): boolean {
  const words = argv.filter((word) => !word.startsWith('-'));
  return command.commands.length > 0 && words.length === pathOf(command).split(' ').length - 1;
}

/** The innermost command that the words name. */
function calledCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
