/**
 * Rule about stretches of time: each is one, longer than nothing, and retry intervals grow.
 *
 * What is judged here is literal. A value with `${ … }` is judged when it is there, at run time.
 */
import { isObject } from '../json/json-kinds.ts';
import type { JsonObject, RetryPolicy } from '../types.ts';
import type { Rule } from './context.ts';
import { checkDurations, judgeDuration, type Place } from './literals.ts';

/** Type of a node → the fields of its config that are durations. Delays and approvals have rules of their own. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['action', ['timeout', 'deadline', 'heartbeat']],
  ['event', ['timeout', 'lookback']],
  ['approval', ['timeout', 'dueIn']],
  ['scope', ['timeout']],
  ['workflow', ['timeout']],
]);

export const checkAllDurations: Rule = ({ outline, issues }) => {
  const { document, nodes } = outline;
  checkDurations(document, ['timeout'], { keys: [], issues });
  if (isObject(document['defaults'])) {
    const place = { keys: ['defaults'], issues };
    checkDurations(document['defaults'], ['timeout', 'deadline'], place);
    checkRetry(document['defaults'], place);
  }
  for (const { node, raw, keys, type } of nodes) {
    const config = raw['config'];
    if (node === null || !isObject(config)) continue;
    const place = { keys: [...keys, 'config'], issues };
    checkDurations(config, FIELDS.get(type ?? '') ?? [], place);
    if (type === 'action') checkRetry(config, place);
  }
};

function checkRetry(config: JsonObject, { keys, issues }: Place): void {
  const retry = config['retry'];
  if (!isObject(retry)) return;
  const retryKeys = [...keys, 'retry'];
  checkDurations(retry, ['initialInterval', 'maxInterval'], { keys: retryKeys, issues });
  const { initialInterval, maxInterval } = retry as RetryPolicy;
  if (typeof initialInterval !== 'string' || typeof maxInterval !== 'string') return;
  const [first, longest] = [judgeDuration(initialInterval), judgeDuration(maxInterval)];
  if (typeof first === 'number' && typeof longest === 'number' && longest < first) {
    const message = `"maxInterval" (${maxInterval}) is shorter than "initialInterval" (${initialInterval})`;
    issues.add('definition.invalid_value', [...retryKeys, 'maxInterval'], message);
  }
}
