/** What a page of documentation shows: files, commands with their output, and snippets. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that the line before the block names, as in "Put this into `a/b.ts`:"; `null`: none. */
  readonly file: string | null;
}

export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(new URL(page, `file://${ROOT}`), 'utf8');
  const blocks = text.matchAll(/(?:`([\w./-]+\.\w+)`:\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, file, language = '', body = '']) => ({ language, text: body, file: file ?? null }));
}

export interface ShownCommand {
  /** What is typed behind `fermata`. */
  readonly args: readonly string[];
  /** What npm sets for the way in which it is called. */
  readonly env: { readonly npm_lifecycle_event: string };
  readonly output: string;
}

/** The `$ … fermata …` lines of console blocks, each with what is shown below it. */
export function commandsOf(blocks: readonly Block[]): readonly ShownCommand[] {
  return blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => text.split(/^\$ /m).slice(1))
    .map((shown) => {
      const [line = '', ...output] = shown.split('\n');
      const typed = line.replace(/^(npm run -s fermata --|npx fermata) /, '');
      if (typed === line) throw new Error(`this is no call of fermata: ${line}`);
      const env = { npm_lifecycle_event: line.startsWith('npx') ? 'npx' : 'fermata' };
      return { args: wordsOf(typed), env, output: output.join('\n') };
    });
}

/** Words as a shell takes them: apart at spaces, but for what is in single quotes. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** Output without what differs from run to run: times, random ids, and the width of columns. */
export function settled(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/\b[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}\b/g, 'ID')
    .replace(/[ \t]+/g, ' ')
    .trim();
}
