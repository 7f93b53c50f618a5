/**
 * The worker of the expense approval, until it is told to stop.
 *
 *   TEMPORAL_ADDRESS=… DATABASE_URL=… node --import tsx examples/expense-approval/worker.ts
 */
import { createWorker } from 'fermata/workers';
import { commands } from './commands.ts';
import { closeLedger } from './ledger.ts';

const worker = await createWorker({ commands });
// Temporal's SDK stops the worker on SIGINT and SIGTERM; `run` ends when the attempts under way have.
await worker.run();
await closeLedger();
