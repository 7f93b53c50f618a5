/** Starting runs of either side through Temporal's client, and what their histories weigh. */
import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Definition, Json } from '../definitions/types.ts';
import { definitionHash } from '../store/definition-hash.ts';
import type { WireStart } from '../workflows/temporal/wire.ts';
import type { Peer } from './peer.ts';

/** Starts a run on the other side of a peer. Gives its handle once the server has acknowledged it. */
export type Start = (input: Json) => Promise<WorkflowHandle>;

/** Runs of a hand-written workflow. */
export function byHand(client: Client, peer: Peer, workflow: string): Start {
  return (input) =>
    client.workflow.start(workflow, {
      workflowId: `${workflow}/${randomUUID()}`,
      taskQueue: peer.settings.taskQueue,
      args: [input],
    });
}

/** Those that the client sets. */
const SEARCH_ATTRIBUTES = [
  { key: defineSearchAttributeKey('FermataState', 'KEYWORD'), value: 'running' },
  { key: defineSearchAttributeKey('FermataTenant', 'KEYWORD'), value: 'default' },
  { key: defineSearchAttributeKey('FermataVersion', 'INT'), value: 1 },
];

/** Runs of a definition. */
export function byDefinition(client: Client, peer: Peer, definition: Definition): Start {
  const version = versionOf(definition);
  return (input) => {
    const id = `${definition.id}/${randomUUID()}`;
    const run = { id, tenant: 'default', initiator: { id: 'bench', kind: 'user' }, entity: null } as const;
    const start: WireStart = { definition: version, input, event: null, run };
    return client.workflow.start(definition.id, {
      workflowId: id,
      taskQueue: peer.settings.taskQueue,
      args: [start],
      typedSearchAttributes: SEARCH_ATTRIBUTES,
    });
  };
}

function versionOf(document: Definition): Extract<WireStart['definition'], { document: Definition }> {
  return { id: document.id, version: 1, hash: definitionHash(document), document, handlers: { touch: { version: 1 } } };
}

/** What a definition adds to the start of a run, in bytes. */
export function definitionBytes(definition: Definition): number {
  return jsonBytes(versionOf(definition) as unknown as Json);
}

/** From the start of a run to its result, in ms. */
export async function timeRun(start: Start): Promise<number> {
  const started = performance.now();
  const handle = await start({ order: 'o-1' });
  await handle.result();
  return performance.now() - started;
}

export interface Weight {
  readonly events: number;
  readonly bytes: number;
}

/** What the history of a closed run weighs, as the server counts it. */
export async function weigh(handle: WorkflowHandle): Promise<Weight> {
  const { historyLength, historySize } = await handle.describe();
  return { events: historyLength, bytes: historySize ?? 0 };
}
