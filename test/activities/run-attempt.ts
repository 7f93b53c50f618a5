/** Runs one attempt of a command in the SDK's own activity context, as a worker would. */
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Info } from '@temporalio/activity';
import {
  type AttemptReport,
  type CommandActivityOptions,
  createCommandActivity,
  createRegistry,
  type Registrable,
} from '../../activities/index.ts';
import { secretPointers } from '../../definitions/secret-references.ts';
import type { Json } from '../../definitions/types.ts';

export const RUN_ID = 'lead-onboarding/evt-1';

export interface AttemptSetup extends Omit<CommandActivityOptions, 'registry' | 'onAttempt'> {
  readonly handlers: readonly Registrable[];
  /** Type of the command; default: that of the first handler. */
  readonly type?: string;
  readonly payload?: Json;
  /** Fields of the header `fermata`, beside the pointers of the secrets in `payload`; default: none. */
  readonly header?: { readonly [field: string]: Json };
  readonly info?: Partial<Info>;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown> | undefined;
}

export interface AttemptUnderTest {
  readonly done: Promise<Json>;
  readonly env: MockActivityEnvironment;
  readonly reports: AttemptReport[];
  readonly heartbeats: unknown[];
  readonly logs: LogLine[];
}

export function startAttempt(setup: AttemptSetup): AttemptUnderTest {
  const reports: AttemptReport[] = [];
  const logs: LogLine[] = [];
  const heartbeats: unknown[] = [];
  const activity = createCommandActivity({
    ...setup,
    registry: createRegistry(setup.handlers),
    onAttempt: (report) => reports.push(report),
  });
  const env = new MockActivityEnvironment(infoOf(setup), {
    logger: recordingLogger(logs),
    interceptors: [
      () => ({ inbound: { execute: (input, next) => next({ ...input, headers: headersOf(setup) }) } }),
      activity.interceptor,
    ],
  });
  env.on('heartbeat', (details) => heartbeats.push(details));
  const done = env.run<[Json?], Json, typeof activity.activities.default>(
    activity.activities.default,
    setup.payload ?? null,
  );
  return { done, env, reports, heartbeats, logs };
}

function infoOf({ handlers, type, info }: AttemptSetup): Partial<Info> {
  const [first] = handlers;
  return {
    activityType: type ?? (first !== undefined && 'type' in first ? first.type : 'unknown'),
    activityId: 'assign/1',
    workflowType: 'lead-onboarding',
    workflowExecution: { workflowId: RUN_ID, runId: '00000000-0000-0000-0000-000000000000' },
    scheduledTimestampMs: Date.UTC(2027, 0, 1),
    ...info,
  };
}

/** The payload is what the definition wrote, so the secrets in it are references; of a rollback, those of its input. */
function headersOf({ header, payload = null }: AttemptSetup): Record<string, { data: Uint8Array }> {
  const written = header?.['u'] === 1 ? (payload as { readonly input: Json }).input : payload;
  const s = secretPointers(written);
  const fields = s.length === 0 ? header : { s, ...header };
  return fields === undefined ? {} : { fermata: { data: Buffer.from(JSON.stringify(fields)) } };
}

function recordingLogger(lines: LogLine[]) {
  const write = (level: string) => (message: string, fields?: Record<string, unknown>) => {
    lines.push({ level, message, fields });
  };
  return {
    log: (level: string, message: string, fields?: Record<string, unknown>) => write(level)(message, fields),
    trace: write('TRACE'),
    debug: write('DEBUG'),
    info: write('INFO'),
    warn: write('WARN'),
    error: write('ERROR'),
  };
}

/** The failure by which an attempt ended. */
export async function failureOf(done: Promise<unknown>): Promise<Failure> {
  return done.then(
    () => Promise.reject(new Error('the attempt succeeded')),
    (error: Failure) => error,
  );
}

export interface Failure extends Error {
  readonly type: string;
  readonly nonRetryable: boolean;
  readonly details: readonly Json[] | undefined;
  readonly nextRetryDelay: number | undefined;
}
