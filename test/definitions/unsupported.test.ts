import { expect, test } from 'vitest';
import { checkDefinition } from '../../definitions/check-definition.ts';
import { parseDefinition } from '../../definitions/parse-definition.ts';
import { fromPointer, valueAt } from '../../definitions/json/path.ts';
import type { Definition, JsonObject } from '../../definitions/types.ts';
import { unsupportedIssues } from '../../definitions/validation/unsupported.ts';
import { ARTICLE, EVERYTHING } from './documents.ts';

test("the article's example runs", () => {
  expect(unsupportedIssues(ARTICLE)).toEqual([]);
});

test('what this release does not run is named with its place, once each', () => {
  const issues = unsupportedIssues(EVERYTHING);
  expect(new Set(issues.map(({ path }) => path)).size).toBe(issues.length);
  for (const { code, severity, path, nodeId, message } of issues) {
    expect({ code, severity }).toEqual({ code: 'definition.unsupported', severity: 'error' });
    expect(valueAt(EVERYTHING as unknown as JsonObject, fromPointer(path))).toBeDefined();
    expect(nodeId === null).toBe(!path.startsWith('/nodes/'));
    expect(message).toContain('this release does not run it yet');
  }
});

test('what is off by its value is supported', () => {
  const document: JsonObject = {
    id: 'a',
    onFailure: 'close',
    nodes: [{ id: 'd', type: 'delay', config: { until: '2027-01-01T00:00:00+02:00' } }],
  };
  expect(checkDefinition(document).issues).toEqual([]);
  expect(unsupportedIssues(document as unknown as Definition)).toEqual([]);
});

test('a check that asks for it tells them among the other issues, with their line', () => {
  const text = 'id: a\nonFailure: hold\nnodes: [{ id: n, type: end }]\n';
  expect(parseDefinition(text, { runnable: true }).issues).toMatchObject([
    { code: 'definition.unsupported', path: '/onFailure', line: 2, column: 1 },
  ]);
  expect(parseDefinition(text).issues).toEqual([]);
});
