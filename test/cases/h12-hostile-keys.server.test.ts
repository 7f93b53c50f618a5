/** Case H12 on the server: hostile and odd keys at all four entrances; a plain run on the same worker sees nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDefinition, parseJson } from '../../definitions/index.ts';
import type { Definition, Json, Node } from '../../definitions/types.ts';
import { waiting } from './conclude.ts';
import { type Handle, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const TEXT =
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"p":1}},"a.b":1,"a":{"b":2},"steady-state":{"n":3},"名前":4,"":5,"toString":"x","length":9}';

/** Reads every odd key of `from`, a path in scope. */
function reads(from: string): { readonly [name: string]: string } {
  return {
    admin: `\${has(${from}.isAdmin)}`,
    path: `\${${from}.a.b}`,
    dotted: `\${${from}["a.b"]}`,
    dashed: `\${${from}["steady-state"].n}`,
    name: `\${${from}["名前"]}`,
    empty: `\${${from}[""]}`,
    method: `\${${from}.toString}`,
    length: `\${${from}.length}`,
    hidden: `\${${from}["__proto__"].isAdmin}`,
    constructed: `\${${from}.constructor.prototype.p}`,
  };
}
const READ = {
  admin: false,
  path: 2,
  dotted: 1,
  dashed: 3,
  name: 4,
  empty: 5,
  method: 'x',
  length: 9,
  hidden: true,
  constructed: 1,
};

/** Hands the value at `from` to a handler, which gives it back, and reads the keys on both sides. */
function readingFrom(from: string, before: readonly Node[] = []): Definition {
  return {
    id: 'h12',
    nodes: [
      ...before,
      { id: 'handed', type: 'action', config: { command: 'keep', payload: `\${${from}}` }, nextNodeId: 'merge' },
      {
        id: 'merge',
        type: 'assign',
        config: { vars: { both: { left: `\${${from}}`, right: '${nodes.handed.output}' } } },
        nextNodeId: 'done',
      },
      {
        id: 'done',
        type: 'end',
        config: {
          output: {
            entrance: reads(from),
            handler: reads('nodes.handed.output'),
            left: reads('vars.both.left'),
            right: reads('vars.both.right'),
            same: '${vars.both.left == vars.both.right}',
            whole: '${nodes.handed.output}',
          },
        },
      },
    ],
  };
}

/** Keys, their order and their values went through unchanged, everywhere. */
async function expectUnharmed(handle: Handle): Promise<void> {
  const { document } = await stage.conclude(handle);
  const output = document.output as { [name: string]: Json };
  expect({ ...output, whole: JSON.stringify(output['whole']) }).toEqual({
    entrance: READ,
    handler: READ,
    left: READ,
    right: READ,
    same: true,
    whole: TEXT,
  });
  expect(JSON.stringify(document.commands.find(({ nodeId }) => nodeId === 'handed')?.command.payload)).toBe(TEXT);
}

describe('H12: odd keys keep their place, order and value', () => {
  test('in the event that starts the run', async () => {
    const data = parseJson(TEXT);
    const { definition } = { definition: readingFrom('event.data') };
    const event = { id: 'h12-event', type: 'odd', source: '/h12', time: '2027-01-01T00:00:00Z', data };
    await expectUnharmed(await stage.start(definition, { event, input: data }));
  });

  test('in the event as the door of the client takes it', async () => {
    const definition: Definition = { ...readingFrom('event.data'), id: 'h12-door', trigger: { event: 'h12.odd' } };
    await stage.fermata.definitions.publish(definition);
    const published = await stage.fermata.events.publish({
      id: 'h12-door',
      type: 'h12.odd',
      source: '/h12',
      data: parseJson(TEXT),
    });
    const [run] = published.runs;
    const workflowId = run?.runId ?? '';
    const { raw } = await stage.client.workflow.getHandle(workflowId).describe();
    const firstExecutionRunId = raw.workflowExecutionInfo?.firstRunId ?? '';
    await expectUnharmed({ workflowId, firstExecutionRunId } as Handle);
  });

  test('in the output of a handler', async () => {
    const give: Node = {
      id: 'give',
      type: 'action',
      config: { command: 'give', payload: { text: TEXT } },
      nextNodeId: 'handed',
    };
    await expectUnharmed(await stage.start(readingFrom('nodes.give.output', [give])));
  });

  test('in the data of a decision', async () => {
    const ask: Node = { id: 'ask', type: 'approval', config: {}, nextNodeId: 'handed' };
    const handle = await stage.start(readingFrom('nodes.ask.output.data', [ask]));
    await waiting(stage.store, handle.workflowId, 'ask');
    await handle.signal('decide', { nodeId: 'ask', outcome: 'approved', by: { id: 'ann' }, data: parseJson(TEXT) });
    await expectUnharmed(handle);
  });

  test('and a plain run afterwards sees nothing of them', async () => {
    const handle = await stage.start({
      id: 'h12-plain',
      nodes: [
        { id: 'probe', type: 'action', config: { command: 'probe' }, nextNodeId: 'done' },
        {
          id: 'done',
          type: 'end',
          config: {
            output: {
              handler: '${nodes.probe.output.seen}',
              walker: ['${has(vars.isAdmin)}', '${has(vars.p)}', '${has(nodes.probe.output.isAdmin)}'],
            },
          },
        },
      ],
    });
    const { document } = await stage.conclude(handle);
    expect(document.output).toEqual({ handler: [], walker: [false, false, false] });
  });

  test('a name that cannot be written as a path is an error in a condition, not "false"', async () => {
    const handle = await stage.start(
      { id: 'h12-dash', nodes: [{ id: 'ask', type: 'condition', config: { expression: 'input.steady-state > 1' } }] },
      { input: parseJson(TEXT) },
    );
    const { document } = await stage.conclude(handle);
    expect(document).toMatchObject({ state: 'failed', error: { type: 'EXPRESSION_ERROR' } });
  });

  test('a definition that sets a variable __proto__ is refused', () => {
    for (const name of ['__proto__', 'constructor', 'prototype', '__proto__.x']) {
      const text = `{"id":"h12","nodes":[{"id":"set","type":"assign","config":{"vars":{${JSON.stringify(name)}:1}}}]}`;
      const { definition, issues } = checkDefinition(parseJson(text));
      expect(definition, name).toBeNull();
      expect(issues.filter(({ severity }) => severity === 'error').length).toBeGreaterThan(0);
    }
  });
});
