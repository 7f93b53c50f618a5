/**
 * The worker of the expense approval, until it is told to stop.
 *
 *   TEMPORAL_ADDRESS=… DATABASE_URL=… node --conditions=fermata-source --import tsx examples/expense-approval/worker.ts
 *
 * Without the condition it takes the built package, after `npm run build`.
 */
import { createWorker } from 'fermata/workers';
import { commands } from './commands.ts';
import { closeLedger } from './ledger.ts';

const worker = await createWorker({ commands });
// Temporal's SDK stops the worker on SIGINT and SIGTERM; `run` ends when the attempts under way have.
await worker.run();
await closeLedger();
