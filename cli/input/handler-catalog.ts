/**
 * What handler modules declare, for checks and simulations without a worker.
 */
import type { HandlerCatalog } from '../../definitions/index.ts';
import type { Io } from '../io.ts';
import { loadCommands } from './load-commands.ts';

/** `null`: no modules were given. @throws FermataError `handler.invalid` */
export async function handlersFrom(io: Io, files: readonly string[] | undefined): Promise<HandlerCatalog | null> {
  if (files === undefined) return null;
  const { createManifest, createRegistry } = await import('../../activities/index.ts');
  return createManifest(createRegistry(await loadCommands(io, files)));
}
