/**
 * Makes the context of one attempt out of Temporal's own, with everything that leaves through it masked.
 */
import type { Context } from '@temporalio/activity';
import { toBoundedJson } from './bounded-json.ts';
import type { Json } from '../definitions/types.ts';
import type { CommandContext, CommandLog } from './command-context.ts';
import type { Attempt } from './attempt.ts';
import type { Masker } from './secrets/masker.ts';
import { readSecret, type SecretSource } from './secrets/secret-source.ts';

export interface AttemptTools {
  readonly masker: Masker;
  readonly secrets: readonly SecretSource[];
}

export function createAttemptContext(temporal: Context, attempt: Attempt, tools: AttemptTools): CommandContext {
  const { masker, secrets } = tools;
  return {
    idempotencyKey: attempt.commandId,
    undoes: attempt.undoes,
    attempt: attempt.attempt,
    run: attempt.run,
    signal: temporal.cancellationSignal,
    heartbeat(details) {
      // Temporal cancels an attempt whose heartbeat it cannot encode; an error where it was made is of more use.
      temporal.heartbeat(
        details === undefined ? undefined : masker.json(toBoundedJson(details, 'details of the heartbeat')),
      );
    },
    heartbeatDetails: temporal.info.heartbeatDetails as Json | undefined,
    log: maskedLog(temporal, masker),
    async secret(name) {
      const value = await readSecret(secrets, name, { tenant: attempt.run.tenant });
      masker.add(value);
      return value;
    },
  };
}

function maskedLog(temporal: Context, masker: Masker): CommandLog {
  const write =
    (level: keyof CommandLog) =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      temporal.log[level](masker.text(String(message)), masker.fields(fields));
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
