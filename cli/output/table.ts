/**
 * Rows of text in columns, without lines around them, so that they can be read and cut alike.
 */
import Table from 'cli-table3';
import type { Paint } from './paint.ts';

const SIDES = ['top', 'bottom', 'left', 'right', 'mid'] as const;
const BORDERS = SIDES.flatMap((side) => [side, ...['left', 'right', 'mid'].map((end) => `${side}-${end}`)]);
const NO_BORDERS = Object.fromEntries([...BORDERS, 'middle'].map((name) => [name, '']));

export function tableText(paint: Paint, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: head.map((title) => paint.dim(title)),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  table.push(...rows.map((row) => [...row]));
  return trimLines(table.toString());
}

/** `name  value` lines. */
export function fieldsText(paint: Paint, fields: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${value}`).join('\n');
}

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
