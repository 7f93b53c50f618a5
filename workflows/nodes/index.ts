/** The node types by name. A new one is one file beside this and one line here. */
import type { NodeType as NodeTypeName } from '../../definitions/types.ts';
import { action } from './action.ts';
import { approval } from './approval.ts';
import { assign } from './assign.ts';
import { condition } from './condition.ts';
import { delay } from './delay.ts';
import { emit } from './emit.ts';
import { end } from './end.ts';
import { event } from './event.ts';
import { forEach } from './for-each.ts';
import { parallel } from './parallel.ts';
import { scopeNode } from './scope.ts';
import { switchNode } from './switch.ts';
import { workflow } from './workflow.ts';

// biome-ignore format: a table
export const nodeTypes: { readonly [name in NodeTypeName]: unknown } = {
  action, approval, assign, condition, delay, emit, end, event,
  parallel, forEach,
  scope: scopeNode,
  switch: switchNode,
  workflow,
};
