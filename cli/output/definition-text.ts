/**
 * One version of a definition for people: what is known of it, its versions, and the document as it was published.
 */
import type { Definition } from '../../definitions/index.ts';
import { type Paint, plain } from './paint.ts';
import { fieldsText, tableText } from './table.ts';
import { timeText } from './times.ts';

export interface ShownDefinition {
  readonly id: string;
  readonly version: number;
  readonly hash: string;
  readonly document: Definition;
  readonly createdAt: Date;
  readonly enabled: boolean;
  readonly activeVersion: number;
  readonly versions: readonly { readonly version: number; readonly hash: string; readonly createdAt: Date }[];
}

export function definitionText(paint: Paint, shown: ShownDefinition): string {
  const { id, version, document, createdAt, enabled, activeVersion, versions, hash } = shown;
  const fields = fieldsText(paint, [
    ['definition', paint.bold(plain(id))],
    ...(document.name === undefined ? [] : [['name', plain(document.name)] as const]),
    ['version', `${version}${version === activeVersion ? ' (active)' : `, active is ${activeVersion}`}`],
    ['published', timeText(createdAt)],
    ['starts runs', enabled ? 'yes' : 'no, it is disabled'],
    ['hash', hash],
  ]);
  const rows = versions.map((one) => [
    `${one.version}${one.version === activeVersion ? ' (active)' : ''}`,
    timeText(one.createdAt),
    one.hash.slice(0, 12),
  ]);
  const history = tableText(paint, ['VERSION', 'PUBLISHED', 'HASH'], rows);
  return [fields, history, plain(JSON.stringify(document, null, 2))].join('\n\n');
}
