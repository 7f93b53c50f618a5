/**
 * The worker: walks runs and calls the handlers, until it is told to stop. What the docker image starts.
 *
 *   TEMPORAL_ADDRESS=… DATABASE_URL=… node --conditions=fermata-source --import tsx examples/lead-onboarding/worker.ts
 *
 * Without the condition it takes the built package, after `npm run build`.
 */
import { createWorker } from 'fermata/workers';
import { commands } from './commands.ts';
import { closeCrm } from './crm.ts';

const worker = await createWorker({ commands });
// Temporal's SDK stops the worker on SIGINT and SIGTERM; `run` ends when the attempts under way have.
await worker.run();
await closeCrm();
