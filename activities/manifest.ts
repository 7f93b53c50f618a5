/**
 * The manifest: what a worker tells others of its handlers, so that publishing can check definitions and stamp bindings
 * without running a line of them.
 *
 * Invariants:
 * 1. Plain JSON, the same for the same handlers in whatever order they were registered.
 * 2. `inputSchema` says what a payload must look like before the schema's own conversions, `outputSchema` what comes out
 *    after them. What JSON Schema cannot say is left open (`{}`), never guessed.
 */
import { z } from 'zod';
import type { HandlerCatalog, HandlerEntry } from '../definitions/handler-catalog.ts';
import type { JsonSchema } from '../definitions/types.ts';
import type { Command } from './define-command.ts';
import { isAdapted, type Registrable, type Registry } from './registry.ts';
import type { AdaptedHandler } from './adapt-handler.ts';

/** What is known of the handlers of `registry`. Class handlers appear for the types that they were registered with. */
export function createManifest(registry: Registry): HandlerCatalog {
  const manifest: Record<string, Record<string, HandlerEntry>> = {};
  for (const type of registry.types) manifest[type] = {};
  for (const entry of registry.entries) {
    for (const { type, version } of identities(entry)) {
      const versions = manifest[type];
      if (versions !== undefined) versions[String(version)] = describe(entry);
    }
  }
  return manifest;
}

function identities(entry: Registrable): readonly { readonly type: string; readonly version: number }[] {
  return isAdapted(entry) ? entry.types.map((type) => ({ type, version: 1 })) : [entry];
}

function describe(entry: Registrable): HandlerEntry {
  return isAdapted(entry)
    ? { ...times(entry), hasRollback: typeof entry.instance.rollback === 'function' }
    : {
        inputSchema: schemaOf(entry.input, 'input'),
        outputSchema: schemaOf(entry.output, 'output'),
        ...times(entry),
        hasRollback: entry.rollback !== undefined,
      };
}

function times({
  retry,
  timeout,
  heartbeat,
}: Command | AdaptedHandler): Pick<HandlerEntry, 'retry' | 'timeout' | 'heartbeat'> {
  return {
    ...(retry === undefined ? {} : { retry }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(heartbeat === undefined ? {} : { heartbeat }),
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
}
