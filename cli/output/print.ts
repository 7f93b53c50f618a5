/**
 * The only places where the command line writes: documents and text to standard output, the rest to standard error.
 */
import type { Io } from '../io.ts';
import { type Paint, paintFor } from './paint.ts';

export function printDocument({ stdout }: Io, document: unknown): void {
  stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

export function printText({ stdout }: Io, text: (paint: Paint) => string): void {
  const written = text(paintFor(stdout));
  if (written !== '') stdout.write(`${written}\n`);
}

/** Progress, warnings and hints. */
export function printNotes({ stderr }: Io, text: (paint: Paint) => string): void {
  const written = text(paintFor(stderr));
  if (written !== '') stderr.write(`${written}\n`);
}
