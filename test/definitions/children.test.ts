import { expect, test } from 'vitest';
import { checkDefinition } from '../../definitions/check-definition.ts';

function found(config: object): (string | undefined)[][] {
  const document = { id: 'a', nodes: [{ id: 'w', type: 'workflow', config }] };
  return checkDefinition(document).issues.map(({ code, severity, path }) => [code, severity, path]);
}

test('a hand-written workflow without a task queue of its own is warned of', () => {
  expect(found({ workflowType: 'shipOrder' })).toEqual([
    ['definition.no_task_queue', 'warning', '/nodes/0/config/workflowType'],
  ]);
  expect(found({ workflowType: 'shipOrder', taskQueue: 'warehouse' })).toEqual([]);
  expect(found({ definitionId: 'shipping' })).toEqual([]);
});

test('what means nothing beside another field is told', () => {
  expect(found({ definitionId: 'shipping', wait: false, timeout: '1h' })).toEqual([
    ['definition.no_effect', 'warning', '/nodes/0/config/timeout'],
  ]);
  expect(found({ workflowType: 'shipOrder', taskQueue: 'warehouse', version: 2 })).toEqual([
    ['definition.no_effect', 'warning', '/nodes/0/config/version'],
  ]);
});
