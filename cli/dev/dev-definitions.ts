/**
 * The files of `fermata dev`: definitions are published at its start, and again whenever one changes. Of a changed
 * handler module it is said that it needs a new start: a module once loaded stays as it is.
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
export function watchDefinitions(io: Io, fermata: Fermata, files: readonly string[]): Watcher {
  let last = Promise.resolve();
  const unwatch = watch(io, files, (_file, path) => {
    last = last.then(() => publishAgain(io, fermata, path));
  });
  return {
    close: () => {
      unwatch();
      return last;
    },
  };
}

/** Says of a handler module that changes what it takes to run it. */
export function watchCommands(io: Io, files: readonly string[]): Watcher {
  const unwatch = watch(io, files, (file) => {
    printNotes(io, (paint) => paint.yellow(`${file} has changed; Ctrl-C and start again to run it.`));
  });
  return { close: async () => unwatch() };
}

interface Watcher {
  close(): Promise<void>;
}

/** Gives what ends it. */
function watch(io: Io, files: readonly string[], changed: (file: string, path: string) => void): () => void {
  const paths = files.map((file) => [file, resolve(io.cwd, file)] as const);
  for (const [file, path] of paths) {
    watchFile(path, { interval: LOOK_EVERY_MS }, ({ mtimeMs }) => {
      if (mtimeMs > 0) changed(file, path);
    });
  }
  return () => paths.forEach(([, path]) => unwatchFile(path));
}

async function publishAgain(io: Io, fermata: Fermata, path: string): Promise<void> {
  try {
    const published = await publishSource(fermata, await readText(io, path));
    if (published.created) printNotes(io, (paint) => `published ${publishedText(paint, published)}`);
  } catch (error) {
    printNotes(io, (paint) => (isFermataError(error) ? errorText(paint, error) : paint.red(String(error))));
  }
}
