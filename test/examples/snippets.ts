/** What a page shows in JSON, made into definitions: a whole one, nodes, one node, triggers. */
import { allNodes, type Definition } from 'fermata/definitions';
import { blocksOf } from './documents.ts';

export interface Snippet {
  /** Of a definition, of the first node, or `triggers`. */
  readonly name: string;
  readonly whole: boolean;
  readonly definition: Definition;
}

/** The JSON blocks of a page. */
export function snippetsOf(page: string): readonly Snippet[] {
  return blocksOf(page)
    .filter(({ language }) => language === 'json')
    .map(({ text }) => snippetOf(JSON.parse(text) as Part | readonly Part[]));
}

type Part = Partial<Omit<Definition, 'nodes'>> & { readonly type?: string; readonly nodes?: Definition['nodes'] };

function snippetOf(shown: Part | readonly Part[]): Snippet {
  const parts = Array.isArray(shown) ? (shown as readonly Part[]) : [shown as Part];
  const [first = {}] = parts;
  if (first.nodes !== undefined) return { name: first.id ?? '', whole: true, definition: first as Definition };
  if (first.type !== undefined) return { name: first.id ?? '', whole: false, definition: around(parts) };
  const trigger = parts as Extract<Definition['trigger'], readonly unknown[]>;
  const definition: Definition = { id: 'snippet', trigger, nodes: [{ id: 'only', type: 'end' }] };
  return { name: 'triggers', whole: false, definition };
}

/** Nodes, with an end at each place that they lead to and do not show; and variables that they take for granted. */
function around(parts: readonly Part[]): Definition {
  const nodes = parts as unknown as Definition['nodes'];
  const known = new Set(allNodes(nodes).map(({ id }) => id));
  const targets = nodes.flatMap((node) => [
    node.nextNodeId,
    node.fallbackNodeId,
    ...Object.values(node.transitions ?? {}),
    ...(node.catch ?? []).map((one) => one.nextNodeId),
  ]);
  const missing = new Set(targets.filter((id) => id !== undefined && !known.has(id)) as string[]);
  const ends = [...missing].map((id) => ({ id, type: 'end' as const }));
  return { id: 'snippet', vars: { total: 1, failures: 0 }, nodes: [...nodes, ...ends] };
}
