/**
 * Rules about the JSON Schemas inside a definition, and about data that is known already when it is written.
 */
import { compileTemplate } from '../expressions/index.ts';
import { type HandlerCatalog, resolveHandler } from '../handler-catalog.ts';
import type { IssueList } from '../issue.ts';
import { isObject } from '../json/json-kinds.ts';
import { validateJson } from '../json/json-schema.ts';
import { type Keys, fromPointer } from '../json/path.ts';
import { schemaFaults } from '../json/schema-faults.ts';
import { secretPointers } from '../secret-references.ts';
import type { ActionNode, Json } from '../types.ts';
import type { Rule } from './context.ts';

export const checkSchemas: Rule = ({ outline, issues, handlers }) => {
  checkSchema(outline.document['input'], ['input'], issues);
  for (const { raw, keys, type, node } of outline.nodes) {
    const config = raw['config'];
    if (type === 'approval' && isObject(config)) checkSchema(config['form'], [...keys, 'config', 'form'], issues);
    if (node?.type === 'action' && handlers !== null) {
      checkPayload(node, [...keys, 'config', 'payload'], { issues, handlers });
    }
  }
};

function checkSchema(schema: Json | undefined, keys: Keys, issues: IssueList): void {
  if (!isObject(schema)) return;
  for (const fault of schemaFaults(schema)) {
    issues.add('definition.invalid_schema', [...keys, ...fromPointer(fault.path)], fault.message);
  }
}

interface Known {
  readonly issues: IssueList;
  readonly handlers: HandlerCatalog;
}

/** A payload that computes nothing is checked now; any other by the worker, at every attempt. */
function checkPayload({ config }: ActionNode, keys: Keys, { issues, handlers }: Known): void {
  const payload = config.payload ?? {};
  const schema = resolveHandler(handlers, config).entry?.inputSchema;
  if (schema === undefined || secretPointers(payload).length > 0 || !isConstant(payload)) return;
  if (isObject(schema) && schemaFaults(schema).length > 0) return;
  for (const { path, message } of validateJson(schema, payload)) {
    issues.add(
      'definition.payload_invalid',
      [...keys, ...fromPointer(path)],
      `${message} (handler of "${config.command}")`,
    );
  }
}

function isConstant(payload: Json): boolean {
  try {
    return compileTemplate(payload).constant;
  } catch {
    return false;
  }
}
