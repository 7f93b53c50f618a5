/** Case H06, end to end: each cell of its table that is an error fails the run in one workflow task. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition, Json } from '../../definitions/types.ts';
import { simulate } from '../../testing/simulate.ts';
import { eventsWith } from './conclude.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const V1 = {};
const V2 = { score: null };
const V4 = { score: '5' };

const ERROR_CELLS: readonly (readonly [condition: string, name: string, input: Json])[] = [
  ['input.score == null', 'V1', V1],
  ['input.score != null', 'V1', V1],
  ['input.score > 3', 'V1', V1],
  ['input.score > 3', 'V2', V2],
  ['input.score > 3', 'V4', V4],
  ['input.score == 5', 'V1', V1],
  ['input.a.b.c == 1', 'V1', V1],
];

const asks = (expression: string): Definition => ({
  id: 'h06',
  nodes: [
    { id: 'ask', type: 'condition', config: { expression }, nextNodeId: 'yes' },
    { id: 'yes', type: 'end' },
  ],
});

async function runs(definition: Definition, input: Json) {
  const handle = await stage.start(definition, { input });
  const { document, histories } = await stage.conclude(handle);
  return { document, tasks: eventsWith(histories, 'workflowTaskStartedEventAttributes').length };
}

describe('H06', () => {
  test.each(ERROR_CELLS)(
    '"%s" on %s fails the run with EXPRESSION_ERROR, in one workflow task',
    async (text, _, input) => {
      const { document, tasks } = await runs(asks(text), input);
      expect(document).toMatchObject({
        state: 'failed',
        error: { type: 'EXPRESSION_ERROR', nodeId: 'ask', details: { expression: text } },
      });
      expect(tasks).toBe(1);
      const simulated = await simulate(asks(text), { input });
      expect(document.error).toEqual(simulated.error);
    },
  );

  test('the text "false" is not true', async () => {
    const { document } = await runs(
      {
        ...asks('input.flag == true'),
        nodes: [
          {
            id: 'ask',
            type: 'condition',
            config: { expression: 'input.flag == true' },
            nextNodeId: 'yes',
            fallbackNodeId: 'no',
          },
          { id: 'yes', type: 'end', config: { output: 'yes' } },
          { id: 'no', type: 'end', config: { output: 'no' } },
        ],
      },
      { flag: 'false' },
    );
    expect(document.output).toBe('no');
  });

  test('an error follows the path that the node declares for it', async () => {
    const caught: Definition = {
      id: 'h06',
      nodes: [
        {
          id: 'ask',
          type: 'condition',
          config: { expression: 'input.score > 3' },
          catch: [{ errors: ['EXPRESSION_ERROR'], nextNodeId: 'told' }],
        },
        { id: 'told', type: 'end', config: { output: { type: '${error.type}', at: '${error.nodeId}' } } },
      ],
    };
    const { document } = await runs(caught, V1);
    expect(document).toMatchObject({ state: 'completed', output: { type: 'EXPRESSION_ERROR', at: 'ask' } });
  });

  test('a command parameter that is missing is an error, and the command is never given', async () => {
    const definition: Definition = {
      id: 'h06',
      nodes: [{ id: 'mail', type: 'action', config: { command: 'keep', payload: { to: 'Dear ${input.name}' } } }],
    };
    const { document, tasks } = await runs(definition, V1);
    expect(document.error).toMatchObject({ type: 'EXPRESSION_ERROR', nodeId: 'mail' });
    expect(document.commands).toEqual([]);
    expect(tasks).toBe(1);
  });
});
