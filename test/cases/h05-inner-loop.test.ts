/** H05: a step behind an inner loop, in the simulator. */
import { describe, expect, test } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import type { Definition, Json } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { inTurn, step } from './tell.ts';

const definition: Definition = {
  id: 'inner-loop',
  output: '${nodes.outer.output}',
  nodes: [
    {
      id: 'outer',
      type: 'forEach',
      config: {
        items: 'input',
        as: 'o',
        concurrency: 1,
        nodes: inTurn(
          {
            id: 'inner',
            type: 'forEach',
            config: {
              items: 'o.list',
              as: 'i',
              concurrency: 1,
              nodes: [step('X', { payload: ['${o.name}', '${i}'], retry: { maxAttempts: 3 } })],
            },
          },
          step('Y', { payload: ['${o.name}', '${size(nodes.inner.output)}'] }),
        ),
      },
    },
  ],
};

/** `X(a,1)`, with `×3` for three attempts. */
function called({ commands }: RunDocument): string[] {
  return commands.map(({ nodeId, command, attempts }) => {
    const tries = attempts === 1 ? '' : `×${attempts}`;
    return `${nodeId}(${(command.payload as (string | number)[]).join(',')})${tries}`;
  });
}

const play = async (input: Json, commands: NonNullable<Mocks['commands']> = {}): Promise<RunDocument> => {
  const document = await simulate(definition, { input, mocks: { commands } });
  expect(document.state).toBe('completed');
  const keys = document.commands.map(({ commandId }) => commandId);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await simulate(definition, { input, mocks: { commands }, rollover: 1 })).toEqual(document);
  return document;
};
const list = (name: string, ...items: number[]): Json => ({ name, list: items });

describe('H05', () => {
  test('the step behind the inner loop is found in every turn of the outer one', async () => {
    const document = await play([list('a', 1, 2, 3), list('b', 1, 2, 3)]);
    const turn = (o: string): string[] => [`X(${o},1)`, `X(${o},2)`, `X(${o},3)`, `Y(${o},3)`];
    expect(called(document)).toEqual([...turn('a'), ...turn('b')]);
    expect(document.commands[5]?.commandId).toBe('inner-loop/simulation/outer[1]/inner[1]/X/1');
  });

  test('an empty inner loop is passed by', async () => {
    const document = await play([list('a', 1), list('b'), list('c', 1)]);
    expect(called(document)).toEqual(['X(a,1)', 'Y(a,1)', 'Y(b,0)', 'X(c,1)', 'Y(c,1)']);
  });

  test('attempts of one call share its key, and are of no other', async () => {
    const isSecondOfB = "payload == ['b', 2] && attempt < 3";
    const document = await play([list('a', 1, 2), list('b', 1, 2, 3)], {
      X: [{ when: isSecondOfB, error: { type: 'BUSY' } }, {}],
    });
    expect(called(document).filter((call) => call.includes('×'))).toEqual(['X(b,2)×3']);
  });

  test.each(['o', 'i'])('%s cannot be read behind its loop', async (name) => {
    const after = step('Z', { payload: `\${${name}}` });
    const nodes = inTurn(...definition.nodes, after);
    await expect(simulate({ ...definition, nodes }, { input: [] })).rejects.toMatchObject({
      code: 'definition.invalid',
      message: expect.stringContaining(name) as string,
    });
  });
});
