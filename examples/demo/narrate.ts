/** What the demo prints: headings, lines, tables, and a run as it happens. */
import { styleText } from 'node:util';
import type { RunDocument } from 'fermata';

const isTerminal = process.stdout.isTTY && !process.env['NO_COLOR'];

export function title(text: string): void {
  console.log(`\n${paint('bold', text)}`);
}

export function say(text: string): void {
  console.log(`  ${text}`);
}

export function aside(text: string): void {
  console.log(paint('dim', `  · ${text}`));
}

/** Rows of a query, one a line. */
export function table(name: string, rows: readonly object[]): void {
  say(name);
  for (const row of rows) say(`  ${JSON.stringify(row)}`);
}

/** Prints each step of a run when it begins to wait and when it ends. Gives the run as it was last. */
export async function narrate(story: AsyncIterable<RunDocument>): Promise<RunDocument | undefined> {
  const told = new Set<string>();
  let last: RunDocument | undefined;
  for await (const run of story) {
    for (const line of linesOf(run)) {
      if (!told.has(line)) say(line);
      told.add(line);
    }
    last = run;
  }
  if (last !== undefined) say(`${last.state}${last.error ? `: ${last.error.type}, ${last.error.message}` : ''}`);
  return last;
}

function linesOf(run: RunDocument): string[] {
  const waits = run.waiting.map((wait) => `… ${wait.nodeId} waits for ${wait.for}`);
  const ended = run.trace.flatMap((visit) => {
    if (visit.finishedAt === null) return [];
    const seconds = ((Date.parse(visit.finishedAt) - Date.parse(run.startedAt)) / 1000).toFixed(2);
    const again = visit.visit === 1 ? '' : ` (visit ${visit.visit})`;
    const told = `+${seconds} s  ${visit.nodeId.padEnd(11)} ${visit.type.padEnd(9)} ${visit.outcome ?? ''}${again}`;
    return [`${told}${visit.type === 'action' ? commandOf(run, visit) : ''}`];
  });
  return [...ended, ...waits];
}

function commandOf({ commands }: RunDocument, { nodeId, visit }: RunDocument['trace'][number]): string {
  const given = commands.find(({ commandId }) => commandId.endsWith(`/${nodeId}/${visit}`));
  if (given === undefined) return '';
  return `  ${given.command.type} ${JSON.stringify(given.command.payload)}`;
}

function paint(style: 'bold' | 'dim', text: string): string {
  return isTerminal ? styleText(style, text) : text;
}
