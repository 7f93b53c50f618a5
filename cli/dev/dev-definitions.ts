/**
 * The definition files of `fermata dev`: published at its start, and again whenever one changes.
 */
import { unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import type { Fermata, PublishedDefinition } from '../../client/index.ts';
import { isFermataError } from '../../definitions/index.ts';
import { readText } from '../input/read-file.ts';
import type { Io } from '../io.ts';
import { publishedText, publishSource } from '../nouns/definitions-publish.ts';
import { errorText } from '../output/error-text.ts';
import { printNotes } from '../output/print.ts';

/** Looking at the file's time, unlike waiting for events of it, survives editors that replace it. */
const LOOK_EVERY_MS = 300;

export async function publishFiles(
  io: Io,
  fermata: Fermata,
  files: readonly string[],
): Promise<readonly PublishedDefinition[]> {
  const published: PublishedDefinition[] = [];
  for (const file of files) published.push(await publishSource(fermata, await readText(io, file)));
  return published;
}

/** Publishes a file whenever it changes, one after the other; a fault is told, and the next change gets its chance. */
export function watchFiles(io: Io, fermata: Fermata, files: readonly string[]): { close(): Promise<void> } {
  let last = Promise.resolve();
  const paths = files.map((file) => resolve(io.cwd, file));
  for (const path of paths) {
    watchFile(path, { interval: LOOK_EVERY_MS }, ({ mtimeMs }) => {
      if (mtimeMs > 0) last = last.then(() => publishAgain(io, fermata, path));
    });
  }
  return {
    close: () => {
      for (const path of paths) unwatchFile(path);
      return last;
    },
  };
}

async function publishAgain(io: Io, fermata: Fermata, path: string): Promise<void> {
  try {
    const published = await publishSource(fermata, await readText(io, path));
    if (published.created) printNotes(io, (paint) => `published ${publishedText(paint, published)}`);
  } catch (error) {
    printNotes(io, (paint) => (isFermataError(error) ? errorText(paint, error) : paint.red(String(error))));
  }
}
