#!/usr/bin/env node
/** The `fermata` command as a process; what it does is `run-cli.ts`. */
import { processIo } from './io.ts';
import { runCli } from './run-cli.ts';

// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runCli(process.argv.slice(2), processIo());
