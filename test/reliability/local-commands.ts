/** Definitions whose `local` commands run side by side, written to show who was there when. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineCommand } from '../../activities/index.ts';
import type { Definition, Node } from '../../definitions/types.ts';
import { inTurn } from '../cases/tell.ts';
import { uniqueName } from '../setup/temporal.ts';

/** Takes some time that nobody knows before. */
export const work = defineCommand({
  type: 'work',
  input: z.object({ from: z.number(), to: z.number() }),
  output: z.number(),
  async execute({ from, to }) {
    const ms = Math.round(from + Math.random() * (to - from));
    await pause(ms);
    return ms;
  },
});

const local = (id: string, from: number, to: number, more: object = {}): Node => ({
  id,
  type: 'action',
  config: { command: 'work', payload: { from, to }, local: true, ...more },
});
const regular = (id: string, from: number, to: number): Node => local(id, from, to, { local: false });
const failing = (id: string, times: number): Node => ({
  id,
  type: 'action',
  config: {
    command: 'fail_times',
    payload: { times },
    local: true,
    retry: { initialInterval: '20ms', maxAttempts: 3 },
  },
});
const until = (id: string, delayMs: number): Node => ({ id, type: 'delay', config: { delayMs } });
/** Is decided by a signal that comes while all else goes on. */
const VOTE: Node = { id: 'vote', type: 'approval', config: { title: 'Vote' } };
const UNDO = { command: 'work', payload: { from: 1, to: 20 } };
/** Writes down who was there when. */
const note = (id: string): Node => ({
  id,
  type: 'assign',
  config: { vars: { seen: `\${vars.seen + [["${id}", string(now)]]}` } },
});
const nested = (id: string, ...nodes: readonly Node[]): Node => ({
  id,
  type: 'scope',
  config: { nodes: inTurn(...nodes) },
});
const branch = (id: string, ...nodes: readonly Node[]) => ({ id, nodes: inTurn(...nodes) });
const definition = (...nodes: readonly Node[]): Definition => ({
  id: uniqueName('locals'),
  vars: { seen: [] },
  output: { seen: '${vars.seen}', end: '${string(now)}', fan: '${nodes.fan.output}' },
  nodes: inTurn(...nodes),
});

/** Branches of another depth each, so that their continuations take another number of turns. */
const depths = (from: number, to: number) => [
  branch(
    'a',
    nested('a1', nested('a2', local('a3', from, to), note('a4')), note('a5')),
    local('a6', from, to),
    note('a7'),
  ),
  branch('b', local('b1', from, to), note('b2'), local('b3', from, to), note('b4')),
  branch('c', nested('c1', local('c2', from, to)), note('c3'), nested('c4', local('c5', from, to)), note('c6')),
  branch('d', local('d1', from, to), local('d2', from, to), note('d3')),
];

/** Has done something that is undone, and does more of it when it is cancelled. */
export const TO_CANCEL: Definition = definition({
  id: 'fan',
  type: 'parallel',
  config: {
    join: 'settled',
    shared: ['seen'],
    branches: [
      ...depths(30, 90),
      branch('u', local('u1', 1, 9, { undo: UNDO }), note('u2'), local('u3', 20, 90, { undo: UNDO }), note('u4')),
      branch('w', until('w1', 5000), note('w2')),
    ],
  },
});

export const CASES: { readonly [title: string]: Definition } = {
  'all of four branches of different depth': definition(
    { id: 'fan', type: 'parallel', config: { branches: depths(1, 20), shared: ['seen'] } },
    local('after', 1, 5),
    note('last'),
  ),
  'the first of four': definition(
    { id: 'fan', type: 'parallel', config: { join: 'first', branches: depths(5, 6), shared: ['seen'] } },
    note('last'),
  ),
  'two of four': definition(
    { id: 'fan', type: 'parallel', config: { join: { count: 2 }, branches: depths(5, 8), shared: ['seen'] } },
    note('last'),
  ),
  'twenty items, five at a time': definition({
    id: 'fan',
    type: 'forEach',
    config: {
      items: '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]',
      concurrency: 5,
      shared: ['seen'],
      nodes: inTurn(local('item', 1, 15), nested('deep', note('noted'))),
    },
  }),
  'a scope that runs out of time among them': definition({
    id: 'fan',
    type: 'parallel',
    config: {
      join: 'settled',
      shared: ['seen'],
      branches: [
        {
          id: 'timed',
          nodes: [
            {
              id: 'limited',
              type: 'scope',
              config: {
                timeout: '1s',
                nodes: inTurn(
                  local('t1', 300, 600),
                  note('t2'),
                  local('t3', 300, 600),
                  note('t4'),
                  local('t5', 100, 500),
                  note('t6'),
                ),
              },
            },
          ],
        },
        branch('long', local('l1', 1500, 1800), note('l2'), local('l3', 5, 50), note('l4')),
        branch(
          'waits',
          { id: 'w1', type: 'delay', config: { delayMs: 900 } },
          note('w2'),
          local('w3', 5, 400),
          note('w4'),
        ),
        branch(
          'asks',
          regular('r1', 5, 600),
          note('r2'),
          regular('r3', 5, 100),
          note('r4'),
          local('r5', 5, 50),
          note('r6'),
        ),
      ],
    },
  }),
  'failures that are retried': definition({
    id: 'fan',
    type: 'parallel',
    config: {
      join: 'settled',
      shared: ['seen'],
      branches: [
        branch('a', failing('f1', 1), note('f2'), local('f3', 1, 30), note('f4')),
        branch('b', nested('s1', failing('f5', 2), note('f6')), note('f7')),
        branch('c', failing('f8', 9), note('f9')),
        branch('d', local('l1', 20, 60), note('l2'), regular('r1', 1, 30), note('r2')),
      ],
    },
  }),
  'regular commands, timers and a vote': definition({
    id: 'fan',
    type: 'parallel',
    config: {
      join: 'settled',
      shared: ['seen'],
      branches: [
        branch('a', regular('r1', 1, 60), note('r2'), nested('s1', regular('r3', 1, 60), note('r4')), note('r5')),
        branch('b', nested('s2', regular('r6', 1, 60), note('r7')), until('w1', 50), note('w2')),
        branch('c', until('w3', 60), note('w4'), regular('r8', 1, 60), note('r9'), until('w5', 20), note('w6')),
        branch('d', VOTE, note('voted'), regular('r10', 1, 60), note('r11')),
      ],
    },
  }),
};
