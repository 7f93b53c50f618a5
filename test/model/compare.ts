/** A run as the walker and the reference each tell it, in one shape: without the words of errors. */
import { isDeepStrictEqual } from 'node:util';
import type { RunDocument } from '../../definitions/records.ts';
import type { Json } from '../../definitions/types.ts';
import { simulate } from '../../testing/simulate.ts';
import { type Case, type CaseOptions, makeCase } from './grammar.ts';
import { reference } from './reference.ts';
import type { World } from './world.ts';

interface Line {
  readonly id: string;
  readonly at: number;
}

export interface Story {
  readonly state: string;
  readonly output: Json;
  readonly error: Json;
  readonly vars: Json;
  /** In order of time; of what began at the same moment nobody promises which was first. */
  readonly commands: readonly Line[];
  readonly trace: readonly Line[];
  readonly emitted: readonly object[];
  readonly waiting: readonly string[];
}

export async function toldByWalker({ definition, mocks }: Case, rollover: number): Promise<Story> {
  const document = await simulate(definition, { mocks, rollover });
  return storyOf(document);
}

function storyOf({ state, output, error, vars, commands, trace, emitted = [], waiting }: RunDocument): Story {
  return {
    state,
    output: wordless(output),
    error: wordless(error as Json),
    vars,
    commands: inTime(
      commands.map(({ commandId, command, state: how, attempts, result, error: fault, undoes, executedAt }) => ({
        id: commandId,
        type: command.type,
        payload: wordless(command.payload),
        state: how,
        attempts,
        result: wordless(result),
        error: fault?.type ?? null,
        at: Date.parse(command.timestamp),
        till: executedAt === null ? null : Date.parse(executedAt),
        undoes: undoes ?? null,
      })),
    ),
    trace: inTime(
      trace.map(({ nodeId, path, visit, outcome, error: fault, startedAt, finishedAt }) => ({
        id: `${path}${nodeId}/${visit}`,
        outcome,
        error: wordless(fault as Json),
        at: Date.parse(startedAt),
        till: finishedAt === null ? null : Date.parse(finishedAt),
      })),
    ),
    emitted: emitted.map(({ id, data }) => ({ id, data })).sort(byId),
    waiting: waiting.map(({ nodeId, kind }) => `${nodeId}: ${kind}`).sort(),
  };
}

export function toldByReference({ definition, mocks }: Case): Story & { readonly tied: boolean } {
  const world = reference(definition, mocks);
  const { ending, cancelled, top } = world;
  return {
    state: ending?.state ?? (cancelled ? 'paused' : 'running'),
    output: wordless(ending?.output ?? null),
    error: wordless((ending?.error ?? null) as unknown as Json),
    vars: top?.own ?? {},
    commands: inTime(
      world.commands.map(({ commandId, orderedAt, finishedAt, error, payload, result, ...more }) => ({
        id: commandId,
        type: more.type,
        payload: wordless(payload),
        state: more.state,
        attempts: more.attempts,
        result: wordless(result),
        error: error?.type ?? null,
        at: orderedAt,
        till: finishedAt,
        undoes: more.undoes,
      })),
    ),
    trace: inTime(
      world.trace.map(({ nodeId, path, visit, outcome, error, startedAt, finishedAt }) => ({
        id: `${path}${nodeId}/${visit}`,
        outcome,
        error: wordless(error as unknown as Json),
        at: startedAt,
        till: finishedAt,
      })),
    ),
    emitted: [...world.emitted].sort(byId),
    waiting: waitingOf(world),
    tied: world.fibers.tied,
  };
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

function inTime<T extends Line>(lines: readonly T[]): T[] {
  return [...lines].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

function waitingOf({ ending, waiting }: World): string[] {
  if (ending !== null) return [];
  return [...waiting].map(([{ node }, kind]) => `${node.id}: ${kind}`).sort();
}

/** Of errors, wherever they are, only the type and the node. */
function wordless(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wordless);
  const entries = Object.entries(value as { readonly [key: string]: Json });
  const { type, message, nodeId } = value as { readonly [key: string]: Json };
  if (typeof type === 'string' && message !== undefined && nodeId !== undefined) return { type, nodeId };
  return Object.fromEntries(entries.map(([key, inner]) => [key, wordless(inner)]));
}

export interface ModelReport {
  readonly checked: number;
  /** How many runs ended so. */
  readonly states: { [state: string]: number };
  commands: number;
  visits: number;
  /** Told differently where two things were due at the same moment, of which nobody promises which is first. */
  undecided: number;
}

export interface ModelOptions extends CaseOptions {
  readonly count: number;
  readonly seed: number;
}

/** Holds the walker against the reference. @throws Error with the seed and the case that they tell differently */
export async function compareCases({ count, seed: first, ...options }: ModelOptions): Promise<ModelReport> {
  const report: ModelReport = { checked: count, states: {}, commands: 0, visits: 0, undecided: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const made = makeCase(seed, options);
    const { walker, model, tied } = await told(made, rolloverFor(seed));
    report.states[walker.state] = (report.states[walker.state] ?? 0) + 1;
    report.commands += walker.commands.length;
    report.visits += walker.trace.length;
    if (!isNamed(walker)) throw new Error(`seed ${seed}: neither closed nor waiting for anything: ${shown(made)}`);
    if (isDeepStrictEqual(walker, model)) continue;
    if (!tied) throw new Error(`seed ${seed}: ${firstDifference(walker, model)}\n${shown(made)}`);
    report.undecided += 1;
  }
  return report;
}

/** The story of a case as both tell it. */
export async function told(
  made: Case,
  rollover: number,
): Promise<{ readonly walker: Story; readonly model: Story; readonly tied: boolean }> {
  const { tied, ...model } = toldByReference(made);
  return { walker: await toldByWalker(made, rollover), model, tied };
}

/** One run in three goes over into fresh histories, after one to four steps. */
function rolloverFor(seed: number): number {
  return seed % 3 === 0 ? 1 + (seed % 4) : Infinity;
}

/** Closed, or waiting for something that has a name. */
function isNamed({ state, waiting }: Story): boolean {
  const isOpen = state === 'running' || state === 'paused';
  return isOpen === waiting.length > 0;
}

function firstDifference(walker: Story, model: Story): string {
  const name = (Object.keys(walker) as (keyof Story)[]).find((key) => !isDeepStrictEqual(walker[key], model[key]));
  if (name === undefined) return 'no difference';
  const [one, other] = [walker[name], model[name]];
  if (!Array.isArray(one) || !Array.isArray(other))
    return `${name}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`;
  const at = Array.from({ length: Math.max(one.length, other.length) }).findIndex(
    (_, index) => !isDeepStrictEqual(one[index], other[index]),
  );
  return `${name}[${at}]: ${JSON.stringify(one[at])}, not ${JSON.stringify(other[at])}`;
}

function shown(made: Case): string {
  return JSON.stringify(made);
}
