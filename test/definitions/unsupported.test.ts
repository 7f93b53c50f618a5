import { expect, test } from 'vitest';
import { checkDefinition } from '../../definitions/check-definition.ts';
import { parseDefinition } from '../../definitions/parse-definition.ts';
import type { Definition, JsonObject } from '../../definitions/types.ts';
import { unsupportedIssues } from '../../definitions/validation/unsupported.ts';
import { ARTICLE, EVERYTHING } from './documents.ts';

test("the article's example runs", () => {
  expect(unsupportedIssues(ARTICLE)).toEqual([]);
});

test('everything that this release does not run is named with its place, once each', () => {
  expect(
    unsupportedIssues(EVERYTHING).map(({ path, nodeId, message }) => [path, nodeId, message.split(' is part of')[0]]),
  ).toEqual([
    ['/onFailure', null, '"onFailure": "hold"'],
    ['/trigger/1', null, 'a schedule trigger'],
    ['/trigger/2', null, 'a schedule trigger'],
    ['/trigger/3', null, 'a webhook trigger'],
    ['/nodes/7/type', 'listen', 'a node of type event'],
    ['/nodes/8/config/form', 'approve', '"form" of a node of type approval'],
    ['/nodes/8/config/subject', 'approve', '"subject" of a node of type approval'],
    ['/nodes/8/config/reminders', 'approve', '"reminders" of a node of type approval'],
    ['/nodes/8/config/escalate', 'approve', '"escalate" of a node of type approval'],
    ['/nodes/9/type', 'fork', 'a node of type parallel'],
    ['/nodes/10/type', 'each', 'a node of type forEach'],
    ['/nodes/11/type', 'box', 'a node of type scope'],
    ['/nodes/14/type', 'tell', 'a node of type emit'],
  ]);
  for (const issue of unsupportedIssues(EVERYTHING)) {
    expect(issue).toMatchObject({ code: 'definition.unsupported', severity: 'error' });
    expect(issue.message).toContain('this release does not run it yet');
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
