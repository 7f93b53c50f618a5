/**
 * All nouns and verbs of the command line, as commander's tree.
 */
import { Command } from 'commander';
import { addApprovals } from './nouns/approvals.ts';
import { addCalendars } from './nouns/calendars.ts';
import { addDefinitions } from './nouns/definitions.ts';
import { addDev } from './nouns/dev.ts';
import { addEvents } from './nouns/events.ts';
import { addRuns } from './nouns/runs.ts';
import { addSimulate } from './nouns/simulate.ts';
import { addSource } from './nouns/source.ts';
import { addValidate } from './nouns/validate.ts';
import { paintFor } from './output/paint.ts';
import { packageVersion } from './package-version.ts';
import { addExamples, type Session } from './verb.ts';

/** Width of help where the terminal's is not known, in characters. */
const HELP_WIDTH = 100;

export function createProgram(session: Session): Command {
  const program = new Command('fermata');
  applySettings(program, session);
  program
    .description('Durable workflows on Temporal: definitions are data, steps are typed handlers.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command');
  program.commandsGroup('Without servers:');
  addValidate(program, session);
  addSimulate(program, session);
  addSource(program, session);
  program.commandsGroup('Servers:');
  addDev(program, session);
  program.commandsGroup('With servers:');
  addDefinitions(program, session);
  addEvents(program, session);
  addRuns(program, session);
  addApprovals(program, session);
  addCalendars(program, session);
  addExamples(program, [
    ['fermata validate lead.json', 'check a definition'],
    ['fermata simulate lead.json --event @event.json', 'see what it would do'],
    ['fermata dev --commands commands.ts --definitions lead.json', 'servers and a worker, until Ctrl-C'],
    [`fermata events publish --type lead.created --data '{ "id": "L-1" }'`, 'start a run'],
    ['fermata runs list', 'see the runs'],
  ]);
  program.addHelpText(
    'after',
    '\nEvery verb takes --json. Exit codes: 0 done, 1 refused or failed, 2 wrong use.\nHelp of a verb: fermata <noun> <verb> --help',
  );
  return program;
}

/** Subcommands made by `.command()` inherit these. */
function applySettings(program: Command, { io }: Session): void {
  program.exitOverride();
  // Verbs have a `--version` of their own, which is not the program's.
  program.enablePositionalOptions();
  program.configureOutput({
    writeOut: (text) => io.stdout.write(text),
    // Errors are thrown, and printed in one place.
    writeErr: () => {},
    outputError: () => {},
    getOutHelpWidth: () => io.stdout.terminal?.columns ?? HELP_WIDTH,
    getOutHasColors: () => io.stdout.colours,
  });
  program.configureHelp({ styleTitle: (title) => paintFor(io.stdout).bold(title), sortOptions: false });
}
