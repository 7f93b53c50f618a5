/**
 * What of a simulation's mocks did nothing, for people: a misspelt name is found where it is looked for.
 */
import type { Definition, RunRecord } from '../../definitions/index.ts';
import type { Mocks } from '../../testing/index.ts';
import { type Paint, plain } from './paint.ts';

export interface MockedRun {
  readonly definition: Definition;
  readonly mocks: Mocks;
  readonly story: readonly RunRecord[];
}

/** One line for each command that no node orders, and for each decision that did not count; empty for none. */
export function mocksText(paint: Paint, { definition, mocks, story }: MockedRun): string {
  const ordered = commandsOf(definition);
  const unknown = Object.keys(mocks.commands ?? {})
    .filter((type) => !ordered.has(type))
    .map((type) => `no node orders the command "${type}"`);
  const refused = story.flatMap((record) =>
    record.kind === 'decision' && record.refusal !== null
      ? [`"${record.outcome}" by ${record.by.id} does not count (${record.refusal.code}): ${record.refusal.message}`]
      : [],
  );
  return [...unknown, ...refused].map((line) => `${paint.yellow('mocks')} ${plain(line)}`).join('\n');
}

function commandsOf({ nodes }: Definition): ReadonlySet<string> {
  const actions = nodes.flatMap((node) => (node.type === 'action' ? [node.config] : []));
  const undos = actions.flatMap(({ undo }) => (typeof undo === 'object' ? [undo.command] : []));
  return new Set([...actions.map(({ command }) => command), ...undos]);
}
