#!/usr/bin/env node
/**
 * The `fermata` command as a process; what it does is `run-cli.ts`.
 *
 * Invariants:
 * 1. The process ends when the command has its answer, whatever timers and connections handler modules left open.
 * 2. A module that ends the process, or never finishes loading, is no success: exit 1.
 * 3. Under `--json` the console of handler modules goes to standard error.
 */
import { Console } from 'node:console';
import { writeSync } from 'node:fs';
import { EXIT } from './answer.ts';
import { processIo } from './io.ts';
import { runCli } from './run-cli.ts';

/** What Node ends with when a module waits at its top level for what never comes. */
const NEVER_SETTLED = 13;

const json = process.argv.includes('--json');
let finished = false;

// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  finished = true;
  process.exit();
});

process.on('exit', (code) => {
  if (finished || (code !== 0 && code !== NEVER_SETTLED)) return;
  const error = {
    code: 'handler.invalid',
    message: 'a handler module ended the process or never loads',
    details: null,
  };
  if (json) writeSync(process.stdout.fd, `${JSON.stringify({ error }, null, 2)}\n`);
  else writeSync(process.stderr.fd, `error ${error.message} (${error.code})\n`);
  process.exitCode = EXIT.refused;
});

if (json) globalThis.console = new Console(process.stderr, process.stderr);

const exit = await runCli(process.argv.slice(2), processIo());
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
);
finished = true;
process.exit(exit);
