/** The node types by name. A new one is one file beside this and one line here. */
import { RunError } from '../../definitions/errors.ts';
import type { Node, NodeType as NodeTypeName } from '../../definitions/types.ts';
import type { NodeState } from '../checkpoint.ts';
import { action } from './action.ts';
import { approval } from './approval.ts';
import { assign } from './assign.ts';
import { condition } from './condition.ts';
import { delay } from './delay.ts';
import { end } from './end.ts';
import type { NodeType } from './node-type.ts';
import { switchNode } from './switch.ts';

// biome-ignore format: a table
export const nodeTypes: { readonly [name in NodeTypeName]: unknown } = {
  action, approval, assign, condition, delay, end,
  switch: switchNode,
  event: notYet('event'),
  parallel: notYet('parallel'),
  forEach: notYet('forEach'),
  scope: notYet('scope'),
  workflow: notYet('workflow'),
  emit: notYet('emit'),
};

/** Publishing refuses these (`definition.unsupported`); a run that has one all the same fails at its start. */
function notYet(name: NodeTypeName): NodeType<Node, never, NodeState> {
  const refuse = (): never => {
    throw new RunError('LIMIT_EXCEEDED', `This release does not run nodes of the type ${name}`);
  };
  return { compile: refuse, enter: refuse, proceed: refuse };
}
