/**
 * Rules about nodes that begin runs: fields that mean nothing beside others, and hand-written workflows that nobody walks.
 */
import { isObject } from '../json/json-kinds.ts';
import type { Rule } from './context.ts';

export const checkChildren: Rule = ({ outline, issues }) => {
  for (const { type, raw, keys } of outline.nodes) {
    const config = raw['config'];
    if (type !== 'workflow' || !isObject(config)) continue;
    const place = [...keys, 'config'];
    const idle = (field: string, beside: string): void => {
      if (config[field] === undefined) return;
      issues.add('definition.no_effect', [...place, field], `"${field}" means nothing beside ${beside}`);
    };
    if (config['wait'] === false) idle('timeout', '"wait": false');
    if (config['workflowType'] === undefined || config['definitionId'] !== undefined) continue;
    idle('version', '"workflowType"');
    if (config['taskQueue'] !== undefined) continue;
    const message =
      'without "taskQueue" the workers of the run are asked, which run definitions only; name the queue of your own worker';
    issues.add('definition.no_task_queue', [...place, 'workflowType'], message);
  }
};
