/**
 * What of a simulation's mocks did nothing, for people: a misspelt name is found where it is looked for.
 */
import { allNodes, type Definition, type Node, type RunRecord } from '../../definitions/index.ts';
import type { Mocks } from '../../testing/index.ts';
import { type Paint, plain } from './paint.ts';

export interface MockedRun {
  /** What is simulated, and what it may begin runs of. */
  readonly definitions: readonly Definition[];
  readonly mocks: Mocks;
  readonly story: readonly RunRecord[];
}

/**
 * One line for each command that no node orders, each workflow that none begins, and each decision that did not count;
 * empty for none.
 */
export function mocksText(paint: Paint, { definitions, mocks, story }: MockedRun): string {
  const nodes = definitions.flatMap((definition) => allNodes(definition.nodes));
  const [ordered, begun] = [new Set(nodes.flatMap(commandsOf)), new Set(nodes.flatMap(beginningsOf))];
  const unknown = Object.keys(mocks.commands ?? {})
    .filter((type) => !ordered.has(type))
    .map((type) => `no node orders the command "${type}"`);
  const idle = Object.keys(mocks.workflows ?? {})
    .filter((name) => !begun.has(name))
    .map((name) => `no node begins a run of "${name}"`);
  const refused = story.flatMap((record) => {
    if ((record.kind !== 'decision' && record.kind !== 'task') || record.refusal === null) return [];
    const { code, message } = record.refusal;
    const what = record.kind === 'decision' ? `"${record.outcome}"` : record.action;
    return [`${what} by ${record.by?.id ?? 'the run'} does not count (${code}): ${message}`];
  });
  return [...unknown, ...idle, ...refused].map((line) => `${paint.yellow('mocks')} ${plain(line)}`).join('\n');
}

function commandsOf(node: Node): string[] {
  if (node.type !== 'action') return [];
  const { command, undo } = node.config;
  return typeof undo === 'object' ? [command, undo.command] : [command];
}

function beginningsOf(node: Node): string[] {
  if (node.type !== 'workflow') return [];
  const { definitionId, workflowType } = node.config;
  return [definitionId, workflowType].filter((name) => name !== undefined);
}
