/**
 * A run that a simulated run begins: walked like any other where its definition was given, else answered by a mock.
 */
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';
import { startFacts } from '../definitions/start-facts.ts';
import { startRefusal } from '../definitions/start-refusal.ts';
import type { Json } from '../definitions/types.ts';
import type { BegunChild } from '../workflows/effects.ts';
import type { ChildOrder } from '../workflows/orders.ts';
import type { DefinitionVersion, RunStart } from '../workflows/start.ts';
import type { Cancellation } from './cancellation.ts';
import type { SimulatedWorld } from './simulated-effects.ts';
import { cancelled, SimulatedFailure } from './simulated-failure.ts';

/** Of the run that begins it. */
export interface ChildHost {
  readonly world: SimulatedWorld;
  readonly cancellation: Cancellation;
}

/** @throws SimulatedFailure where it cannot begin; FermataError `mocks.invalid` where nothing says what it does */
export async function beginChild(order: ChildOrder, host: ChildHost): Promise<BegunChild> {
  const { world, cancellation } = host;
  const { what, run } = order;
  if (cancellation.requested) throw cancelled(`the run ${run.id}`, order.nodeId);
  await world.waits.begin({ untilMs: world.clock.now() });
  const version = 'definitionId' in what ? world.runs.definition(what.definitionId) : undefined;
  if (version !== undefined) return walkedChild(order, version, host);
  const name = 'definitionId' in what ? what.definitionId : what.workflowType;
  if (!world.runs.replies.has(name)) throw unknownChild(order, name);
  return { runId: run.id, version: null, result: () => mockedResult(order, name, host) };
}

function walkedChild(order: ChildOrder, version: DefinitionVersion, { world, cancellation }: ChildHost): BegunChild {
  const { run, end } = world.runs.begin(startOf(order, version, world.clock.now()), world.ofChild());
  if (!order.detached) {
    whenRequested(cancellation, () => {
      const at = world.clock.now();
      run.current.cancel({ reason: 'the run that began it was cancelled', by: null, at });
      world.waits.notify();
    });
  }
  const result = async (): Promise<Json> => {
    const { state, output, error } = await end;
    if (state === 'completed') return output;
    throw error ? new SimulatedFailure(error) : cancelled(`the run ${run.id}`, null);
  };
  return { runId: run.id, version: version.version, result };
}

function startOf({ run, input }: ChildOrder, definition: DefinitionVersion, atMs: number): RunStart {
  try {
    const identity = { ...run, version: definition.version };
    const facts = startFacts(definition.document, { event: null, trigger: null, input, run: identity, atMs });
    return { definition, input: facts.input, event: null, run: { ...run, entity: facts.entity } };
  } catch (error) {
    if (!isFermataError(error)) throw error;
    throw new SimulatedFailure(startRefusal(error));
  }
}

async function mockedResult(order: ChildOrder, name: string, { world, cancellation }: ChildHost): Promise<Json> {
  const reply = world.runs.replies.next({ type: name, commandId: order.visitId, payload: order.input });
  const interruption = { cancellation, onCancel: () => cancelled(`the run ${order.run.id}`, order.nodeId) };
  await world.waits.begin({ untilMs: world.clock.now() + reply.takesMs }, interruption);
  if ('output' in reply) return reply.output;
  const { retryable: _retryable, ...error } = reply.error;
  throw new SimulatedFailure({ ...error, nodeId: null });
}

function whenRequested(cancellation: Cancellation, cancel: () => void): void {
  if (cancellation.requested) cancel();
  else cancellation.listen(cancel);
}

function unknownChild({ nodeId }: ChildOrder, name: string): FermataError {
  const message = `the node ${nodeId} begins a run of "${name}", and nothing says what that does; give its definition (--definitions), or a mock under workflows`;
  return new FermataError('mocks.invalid', message, { issues: [{ path: '/workflows', message }] });
}
