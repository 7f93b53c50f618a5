/**
 * Random definitions with mocks: all node kinds that the walker runs, at most 60 nodes, six scopes deep.
 *
 * Invariants:
 * 1. The same seed makes the same case.
 * 2. Every length of time is an odd number of milliseconds drawn from thousands, so that two branches are seldom at the
 *    same moment: which of them is first then is nobody's promise.
 */
import type { Branch, Definition, Json, Node } from '../../definitions/types.ts';
import type { MockReply, Mocks } from '../../testing/mocks.ts';
import { Random } from '../definitions/random.ts';

export interface Case {
  readonly definition: Definition;
  readonly mocks: Mocks;
}

export interface CaseOptions {
  /** Also waits that nothing ends, and handlers that never come. */
  readonly endless?: boolean;
}

const MOST_NODES = 60;
const DEEPEST = 6;
const COMMANDS = ['a', 'b', 'c', 'd'];
const EVENTS = ['thing.done', 'thing.gone'];
const ERRORS = ['BUSY', 'GONE', 'TIMEOUT', 'CANCELLED', 'WAIT_TIMEOUT', 'NOT_APPROVED', 'CHILD_FAILED', '*'];

/** Where a scope stands. */
interface Place {
  readonly depth: number;
  /** Outer variables that may be written here. */
  readonly writable: readonly string[];
  /** A variable of its own. */
  readonly own: string | null;
  readonly locals: readonly string[];
}

export function makeCase(seed: number, { endless = false }: CaseOptions = {}): Case {
  const maker = new Maker(new Random(seed), endless);
  return { definition: maker.definition(), mocks: maker.mocks() };
}

class Maker {
  readonly #random: Random;
  readonly #endless: boolean;
  #made = 0;
  readonly #approvals: string[] = [];

  constructor(random: Random, endless: boolean) {
    this.#random = random;
    this.#endless = endless;
  }

  definition(): Definition {
    const nodes = this.#scope({ depth: 1, writable: ['n', 'm'], own: null, locals: [] });
    return {
      id: 'any',
      vars: { n: 0, m: 1 },
      ...(this.#chance(20) ? { timeout: this.#time(60_000) } : {}),
      ...(this.#chance(50) ? { output: { n: '${vars.n}', m: '${vars.m}' } } : {}),
      nodes,
    };
  }

  mocks(): Mocks {
    const replies = (): MockReply[] => Array.from({ length: 8 }, (_, index) => this.#reply(index === 7));
    const several = <T>(most: number, make: () => T): T[] => Array.from({ length: this.#random.below(most + 1) }, make);
    return {
      commands: Object.fromEntries(COMMANDS.map((type) => [type, replies()])),
      workflows: { kid: [this.#childReply(), this.#childReply(), this.#childReply()] },
      decisions: this.#approvals.flatMap((nodeId) =>
        several(3, () => ({
          after: this.#time(60_000),
          nodeId,
          outcome: this.#pick('approved', 'approved', 'rejected'),
          by: { id: this.#pick('ann', 'bob') },
        })),
      ),
      events: several(6, () => ({
        after: this.#time(60_000),
        type: this.#random.pick(EVENTS),
        data: { n: this.#random.below(3) },
      })),
      cancels: this.#chance(25) ? [{ after: this.#time(60_000) }, { after: this.#time(60_000) }] : [],
    };
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  #pick<T>(...items: readonly T[]): T {
    return this.#random.pick(items);
  }

  #time(most: number): string {
    return `${2 * this.#random.below(most / 2) + 1}ms`;
  }

  #reply(isLast: boolean): MockReply {
    const takes = this.#time(12_000);
    if (this.#chance(!isLast ? 4 : this.#endless ? 20 : 0)) return { error: { type: 'HANDLER_NOT_FOUND' }, takes };
    if (this.#chance(65)) return { output: this.#random.below(100), takes };
    return { error: { type: this.#pick('BUSY', 'GONE'), retryable: this.#chance(60) }, takes };
  }

  #childReply(): MockReply {
    const takes = this.#time(12_000);
    return this.#chance(60) ? { output: this.#random.below(100), takes } : { error: { type: 'LOST' }, takes };
  }

  #newId(): string {
    return `n${this.#made++}`;
  }

  #newVariable(): string {
    return `v${this.#made}`;
  }

  /** At least one node, which the caller must have room for. */
  #scope(place: Place, isApart = false): Node[] {
    const room = MOST_NODES - this.#made;
    const most = place.depth === 1 ? 9 : 4;
    const ids = Array.from({ length: Math.max(1, Math.min(room, 1 + this.#random.below(most))) }, () => this.#newId());
    const nodes = ids.map((id, at) => this.#node({ id, at, ids }, place));
    return isApart && room > ids.length ? [this.#pause(ids[0] as string, place), ...nodes] : nodes;
  }

  /** Branches and items begin apart. */
  #pause(nextNodeId: string, { locals }: Place): Node {
    const own = this.#random.below(4000);
    const delayMs = locals.includes('index') ? `\${${own} + ${this.#random.below(2000)} * index}` : own;
    return { id: this.#newId(), type: 'delay', config: { delayMs }, nextNodeId };
  }

  #node({ id, at, ids }: { id: string; at: number; ids: readonly string[] }, place: Place): Node {
    const canHold = place.depth < DEEPEST && this.#made + 4 <= MOST_NODES;
    const body =
      canHold && this.#chance(place.depth === 1 ? 45 : 30) ? this.#holder(place) : this.#leaf(id, ids, place);
    const any = (): string => this.#random.pick(ids);
    const next = this.#chance(75) ? ids[at + 1] : this.#chance(50) ? any() : undefined;
    const links = {
      ...(next === undefined ? {} : { nextNodeId: next }),
      ...(this.#chance(25) ? { fallbackNodeId: any() } : {}),
      ...(body.type !== 'condition' && this.#chance(25)
        ? { catch: [{ errors: [this.#random.pick(ERRORS)], nextNodeId: any() }] }
        : {}),
    };
    const bare = body.type === 'end' ? {} : body.type === 'switch' ? { ...links, nextNodeId: undefined } : links;
    const isTimed = (body.type === 'approval' || body.type === 'event') && 'timeout' in body.config;
    const named = [...(body.type === 'approval' ? ['approved', 'rejected'] : []), ...(isTimed ? ['timeout'] : [])];
    const transitions =
      named.length > 0 && this.#chance(20) ? { transitions: { [this.#random.pick(named)]: any() } } : {};
    return JSON.parse(
      JSON.stringify({ id, ...body, ...bare, ...transitions, maxVisits: 1 + this.#random.below(4) }),
    ) as Node;
  }

  #leaf(id: string, ids: readonly string[], place: Place): { readonly type: Node['type']; readonly config: object } {
    const type = this.#pick(
      ...(['action', 'action', 'action', 'action', 'assign', 'assign', 'delay', 'delay', 'approval', 'event'] as const),
      ...(['condition', 'condition', 'switch', 'emit', 'workflow', this.#chance(30) ? 'end' : 'delay'] as const),
    );
    return { type, config: this.#config(type, { id, ids, place }) };
  }

  #config(type: Node['type'], { id, ids, place }: { id: string; ids: readonly string[]; place: Place }): object {
    const any = (): string => this.#random.pick(ids);
    switch (type) {
      case 'action':
        return this.#action(id, place);
      case 'assign':
        return { vars: this.#assigned(place) };
      case 'delay':
        return this.#chance(10) ? { delayMs: 0 } : { duration: this.#time(20_000) };
      case 'approval':
        this.#approvals.push(id);
        return { quorum: 1 + this.#random.below(2), ...this.#limit(40_000) };
      case 'event':
        return this.#event();
      case 'emit':
        return { event: this.#random.pick(EVENTS), data: { n: '${vars.n}' } };
      case 'workflow':
        return this.#chance(20)
          ? { definitionId: 'kid', wait: false }
          : { definitionId: 'kid', ...(this.#chance(40) ? { timeout: this.#time(12_000) } : {}) };
      case 'condition':
        return { expression: this.#test(place), onError: this.#pick('fail', 'true', 'false') };
      case 'switch':
        return {
          cases: [
            { when: this.#test(place), nextNodeId: any() },
            { when: this.#test(place), nextNodeId: any() },
          ],
          ...(this.#chance(60) ? { defaultNodeId: any() } : {}),
        };
      default:
        return { status: this.#pick('completed', 'failed', 'cancelled') };
    }
  }

  #limit(most: number): object {
    return this.#endless && this.#chance(60) ? {} : { timeout: this.#time(most) };
  }

  #test({ locals }: Place): string {
    const tests = ['vars.n < 2', 'vars.n % 2 == 0', 'true', 'vars.m > vars.n', 'vars.n < 5', 'vars.m % 3 != 0'];
    if (this.#chance(15)) return this.#pick('input.nothing', 'vars.n');
    return this.#random.pick([...tests, ...locals.map((name) => `${name} < 2`)]);
  }

  #value({ locals }: Place): string {
    const values = ['${vars.n + 1}', '${vars.m}', '${(vars.n * 3 + vars.m) % 97}', '${vars.n + vars.m}'];
    return this.#random.pick([...values, ...locals.map((name) => `\${vars.n + ${name}}`)]);
  }

  #assigned(place: Place): { readonly [name: string]: Json } {
    const names = [...place.writable, ...(place.own === null ? [] : [place.own])];
    return { [this.#random.pick(names)]: this.#value(place) };
  }

  #action(id: string, place: Place): object {
    const command = this.#random.pick(COMMANDS);
    const undo = this.#pick<Json>(false, false, true, {
      command: this.#random.pick(COMMANDS),
      payload: { of: `\${nodes.${id}.output}`, n: '${vars.n}' },
    });
    return {
      command,
      payload: { v: this.#value(place) },
      undo,
      ...(this.#chance(30) ? { timeout: this.#time(15_000) } : {}),
      ...(this.#chance(20) ? { deadline: this.#time(30_000) } : {}),
      ...(this.#chance(50) ? { retry: this.#retry() } : {}),
    };
  }

  #retry(): object {
    return {
      maxAttempts: 1 + this.#random.below(4),
      initialInterval: this.#time(4000),
      backoffCoefficient: 1 + this.#random.below(3),
      maxInterval: `${4000 + this.#random.below(5000)}ms`,
    };
  }

  #event(): object {
    return {
      event: this.#chance(60) ? this.#random.pick(EVENTS) : EVENTS,
      ...(this.#chance(30) ? { correlate: { 'data.n': '${vars.n}' } } : {}),
      ...(this.#chance(20) ? { filter: 'event.data.n > 0' } : {}),
      ...this.#limit(40_000),
    };
  }

  #holder(place: Place): { readonly type: Node['type']; readonly config: object } {
    const shared = place.writable.filter(() => this.#chance(60));
    const inner = { ...place, depth: place.depth + 1 };
    const join = this.#pick<Json>('all', 'settled', 'any', 'first', { count: 1 }, { count: 2 });
    switch (this.#pick('parallel', 'parallel', 'forEach', 'scope')) {
      case 'parallel':
        return { type: 'parallel', config: { join, shared, branches: this.#branches({ ...inner, writable: shared }) } };
      case 'forEach': {
        const locals = [...place.locals.filter((name) => name !== 'index'), 'index'];
        const nodes = this.#scope({ ...inner, writable: shared, locals, own: this.#newVariable() }, true);
        const items = this.#pick('[1, 2].filter(x, x < vars.n)', '[1, 2]', '[4, 7, 9]', '[1, 2, 3, 4]', 'vars.n');
        const concurrency = 1 + this.#random.below(4);
        return { type: 'forEach', config: { items, join, shared, concurrency, nodes, ...this.#output(4) } };
      }
      default: {
        const limit = this.#chance(50) ? { timeout: this.#time(40_000) } : {};
        return {
          type: 'scope',
          config: { undo: this.#chance(50), ...limit, ...this.#output(4), nodes: this.#scope(inner) },
        };
      }
    }
  }

  #branches(place: Place): Branch[] {
    const count = 2 + this.#random.below(2);
    return Array.from({ length: count }, (_, index) => ({
      id: `b${index}`,
      nodes: this.#scope({ ...place, own: this.#newVariable() }, true),
      ...(this.#chance(15) ? { optional: true } : {}),
      ...this.#output(3),
    }));
  }

  #output(oneIn: number): object {
    return this.#random.below(oneIn) === 0 ? { output: '${vars.n}' } : {};
  }
}
