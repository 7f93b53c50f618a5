/**
 * All runs of a simulation: the one that is simulated, and those that runs begin.
 *
 * What it is: who there is, what a run may begin, and whose a decision is.
 * What it is not: a clock; one moves for all of them, in `simulation.ts`.
 */
import type { Ending } from '../workflows/checkpoint.ts';
import type { DefinitionVersion, RunStart } from '../workflows/start.ts';
import { MockReplies } from './mock-replies.ts';
import type { SimulatedWorld } from './simulated-effects.ts';
import { hasNode, SimulatedRun } from './simulated-run.ts';

/** What a mock of a decision becomes, as its door sends it. */
export interface MockedDecision {
  readonly nodeId: string;
}

export interface RunsOptions {
  /** Definitions whose runs are walked when a node begins them. */
  readonly definitions?: readonly DefinitionVersion[];
  /** What answers for the others, by definition id or workflow type. */
  readonly replies?: MockReplies;
}

export class SimulatedRuns {
  readonly replies: MockReplies;
  readonly #versions: ReadonlyMap<string, DefinitionVersion>;
  /** In the order in which they began. */
  readonly all: SimulatedRun[] = [];
  readonly #early: MockedDecision[] = [];
  readonly #faults: unknown[] = [];

  constructor({ definitions = [], replies = new MockReplies({}, 'workflows') }: RunsOptions = {}) {
    this.#versions = new Map(definitions.map((version) => [version.id, version]));
    this.replies = replies;
  }

  /** What is known of a definition, if it was given. */
  definition(id: string): DefinitionVersion | undefined {
    return this.#versions.get(id);
  }

  /** Begins a run, and gives its end. A fault of the simulation itself leaves the end open, for `check` to throw. */
  begin(start: RunStart, world: SimulatedWorld): { readonly run: SimulatedRun; readonly end: Promise<Ending> } {
    const run = new SimulatedRun(start, world);
    this.all.push(run);
    const end = new Promise<Ending>((resolve) => {
      run.walk().then(resolve, (fault: unknown) => this.#faults.push(fault));
    });
    for (const decision of this.#early.filter(({ nodeId }) => run.has(nodeId))) {
      this.#early.splice(this.#early.indexOf(decision), 1);
      run.current.receiveDecision(decision);
    }
    return { run, end };
  }

  /** Whether a run goes on, or waits. @throws what a run could not be simulated for */
  check(): boolean {
    if (this.#faults.length > 0) throw this.#faults[0];
    return this.all.some(({ ending }) => ending === null);
  }

  /** A run that is not over. */
  find(id: string): SimulatedRun | undefined {
    return this.all.find((run) => run.id === id && run.ending === null);
  }

  begunBy(run: SimulatedRun): readonly SimulatedRun[] {
    return this.all.filter(({ start }) => start.run.initiator.kind === 'run' && start.run.initiator.id === run.id);
  }

  /**
   * Gives a decision to the first run that waits at its node, else to the first that has such a node. One for a run that
   * is not there yet is kept for it; one for no run at all goes to the first, which says why it does not count.
   */
  deliver(decision: MockedDecision): void {
    const run = this.#withNode(decision.nodeId);
    if (run === undefined && this.#mayHave(decision.nodeId)) this.#early.push(decision);
    else (run ?? this.#open[0])?.current.receiveDecision(decision);
  }

  /** Gives a request about a task to the run that a decision would go to; none is kept. */
  deliverRequest(request: MockedDecision): void {
    (this.#withNode(request.nodeId) ?? this.#open[0])?.current.receiveRequest(request);
  }

  get #open(): readonly SimulatedRun[] {
    return this.all.filter(({ ending }) => ending === null);
  }

  #withNode(nodeId: string): SimulatedRun | undefined {
    const having = this.#open.filter((run) => run.has(nodeId));
    return having.find((one) => one.waitsAt(nodeId)) ?? having[0];
  }

  #mayHave(nodeId: string): boolean {
    return [...this.#versions.values()].some((version) => hasNode(version, nodeId));
  }
}
