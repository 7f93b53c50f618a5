/**
 * A worker in a process of its own, for tests that kill it. Says `ready` when it takes work.
 *
 * `FERMATA_TEST_NEW_CMD=1`: it also knows the command `new_cmd`.
 */
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { createWorker } from '../../workers/index.ts';
import { ledgerCommand, newCommand, STUBS } from './commands.ts';
import { openLedger } from './ledger.ts';
import { misbehavingCommands } from './misbehaving-commands.ts';

Runtime.install({ logger: new DefaultLogger('WARN') });
const ledger = await openLedger(process.env['DATABASE_URL'] as string);
const worker = await createWorker({
  commands: [
    ...STUBS,
    ledgerCommand(ledger),
    ...misbehavingCommands(ledger),
    ...(process.env['FERMATA_TEST_NEW_CMD'] === '1' ? [newCommand] : []),
  ],
  sweepEveryMs: 500,
});
const running = worker.run();
process.once('SIGTERM', () => worker.shutdown());
process.stdout.write('ready\n');
await running;
await ledger.close();
