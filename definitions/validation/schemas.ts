/**
 * Rule about the JSON Schemas inside a definition: of the run's input and of the answers to approvals.
 */
import type { IssueList } from '../issue.ts';
import { isObject } from '../json/json-kinds.ts';
import { type Keys, fromPointer } from '../json/path.ts';
import { schemaFaults } from '../json/schema-faults.ts';
import type { Json } from '../types.ts';
import type { Rule } from './context.ts';

export const checkSchemas: Rule = ({ outline, issues }) => {
  checkSchema(outline.document['input'], ['input'], issues);
  for (const { raw, keys, type } of outline.nodes) {
    const config = raw['config'];
    if (type === 'approval' && isObject(config)) checkSchema(config['form'], [...keys, 'config', 'form'], issues);
  }
};

function checkSchema(schema: Json | undefined, keys: Keys, issues: IssueList): void {
  if (!isObject(schema)) return;
  for (const fault of schemaFaults(schema)) {
    issues.add('definition.invalid_schema', [...keys, ...fromPointer(fault.path)], fault.message);
  }
}
