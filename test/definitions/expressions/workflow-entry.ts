/** What `workflow-vm.test.ts` bundles: a workflow module that does nothing but hand expressions out. */
export { compileExpression, compileTemplate, Meter } from '../../../definitions/expressions/index.ts';
