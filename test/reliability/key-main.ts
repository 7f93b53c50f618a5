/**
 * Starts runs that need one key, in a process of its own. Says `ready`, and starts all at once when the advisory lock
 * {@link GATE} is free; then says `answers` and a line of JSON: what became of each.
 *
 * `FERMATA_TEST_STARTS`: a JSON list of {@link Start}.
 * `FERMATA_TEST_STOP`: `before` or `after` the first start in Temporal it says `stopped` and does no more, until it is
 * killed.
 */
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import pg from 'pg';
import { connect, isFermataError } from '../../client/index.ts';
import { type Answer, GATE, type Start } from './key-starts.ts';

const env = (name: string): string => process.env[name] ?? '';
const stopHere = (): Promise<never> => {
  process.stdout.write('stopped\n');
  return new Promise(() => undefined);
};
const stopping: WorkflowClientInterceptor = {
  async startWithDetails(input, next) {
    if (env('FERMATA_TEST_STOP') === 'before') return await stopHere();
    const started = await next(input);
    return env('FERMATA_TEST_STOP') === 'after' ? await stopHere() : started;
  },
};

const connection = await Connection.connect({ address: env('TEMPORAL_ADDRESS') });
const client = new Client({
  connection,
  namespace: env('TEMPORAL_NAMESPACE'),
  interceptors: { workflow: [stopping] },
});
const fermata = await connect({ temporal: { client } });

async function start({ door, definitionId, id }: Start): Promise<Answer> {
  const input = { station: 'S-1' };
  try {
    if (door === 'start') {
      const run = await fermata.runs.start(definitionId, { id, input });
      return { definitionId, runId: run.id, status: run.status };
    }
    const { runs } = await fermata.events.publish({ id, type: definitionId, source: '/test', data: input });
    const [run] = runs;
    return { definitionId, runId: run?.runId ?? holderIn(run?.error?.details), status: run?.status ?? 'none' };
  } catch (error) {
    if (!isFermataError(error) || error.code !== 'run.key_taken') throw error;
    return { definitionId, runId: holderIn(error.details), status: 'refused' };
  }
}

function holderIn(details: unknown): string {
  return String((details as { readonly holder?: unknown } | null)?.holder);
}

const database = new pg.Client({ connectionString: env('DATABASE_URL') });
await database.connect();
process.stdout.write('ready\n');
await database.query('select pg_advisory_lock_shared($1)', [GATE]);
const answers = await Promise.all((JSON.parse(env('FERMATA_TEST_STARTS')) as Start[]).map(start));
process.stdout.write(`answers\n${JSON.stringify(answers)}\n`);
await database.end();
await fermata.close();
await connection.close();
