/**
 * Files that people name on the command line; `-` is standard input.
 */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FermataError } from '../../definitions/index.ts';
import type { Io } from '../io.ts';

/** What standard input is called in messages. */
export const STDIN = '<stdin>';

export interface NamedText {
  /** For messages, as the person wrote it. */
  readonly name: string;
  readonly text: string;
}

/** Nothing that is read here may come near it; beyond it a file was named by mistake. */
const MOST_BYTES = 64 * 1024 * 1024;

/** @throws FermataError `usage.invalid` when it cannot be read */
export async function readText(io: Io, file: string): Promise<NamedText> {
  if (file === '-') return { name: STDIN, text: await io.readStdin() };
  const path = resolve(io.cwd, file);
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new Error(`it has ${size} bytes, and ${MOST_BYTES} are the most`);
    return { name: file, text: await readFile(path, 'utf8') };
  } catch (error) {
    const message = `${file} cannot be read: ${reasonOf(error)}`;
    const remedy = `Name a file that can be read; names start from ${io.cwd}.`;
    throw new FermataError('usage.invalid', message, { file, remedy }, { cause: error });
  }
}

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'you may not read it'],
]);

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code) ?? message;
}
