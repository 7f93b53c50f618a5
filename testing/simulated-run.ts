/**
 * One run of a simulation, in whichever history it is.
 *
 * Invariant: a run that goes on in a fresh history does so from its checkpoint as JSON text, at the same moment.
 */
import type { Checkpoint, Ending } from '../workflows/checkpoint.ts';
import { compiled } from '../workflows/compile.ts';
import { createRun, type Run } from '../workflows/run.ts';
import type { DefinitionVersion, RunStart } from '../workflows/start.ts';
import type { SimulatedWorld } from './simulated-effects.ts';

export class SimulatedRun {
  readonly start: RunStart;
  readonly world: SimulatedWorld;
  /** `null`: it goes on, or waits for ever. */
  ending: Ending | null = null;
  #run: Run;

  constructor(start: RunStart, world: SimulatedWorld) {
    this.start = start;
    this.world = world;
    this.#run = createRun(start, world.beginHistory());
  }

  get id(): string {
    return this.start.run.id;
  }

  /** As it is now: another one in each history. */
  get current(): Run {
    return this.#run;
  }

  /** Walks to the end of the run. */
  async walk(): Promise<Ending> {
    for (;;) {
      const end = await this.#run.walk();
      if (end.kind === 'closed') return (this.ending = end.ending);
      const checkpoint = JSON.parse(JSON.stringify(end.checkpoint)) as Checkpoint;
      this.#run = createRun({ ...this.start, checkpoint }, this.world.beginHistory());
    }
  }

  has(nodeId: string): boolean {
    return hasNode(this.start.definition, nodeId);
  }

  waitsAt(nodeId: string): boolean {
    return this.#run.view().waiting.some((wait) => wait.nodeId === nodeId);
  }
}

/** Whether a definition has a node of this id, at any depth. */
export function hasNode({ document, handlers }: DefinitionVersion, nodeId: string): boolean {
  return compiled(document, handlers).nodes.has(nodeId);
}
