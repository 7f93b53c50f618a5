import { expect, test } from 'vitest';
import type { RunRecord } from '../../definitions/records.ts';
import type { Definition } from '../../definitions/types.ts';
import { simulate } from '../../testing/index.ts';

const definition: Definition = {
  id: 'kyc',
  redact: ['input.email', 'nodes.check.output.ssn', 'vars.pin'],
  vars: { pin: 4711 },
  nodes: [
    {
      id: 'check',
      type: 'action',
      config: { command: 'check', payload: { to: 'Mail ${input.email}!', pin: '${vars.pin}' } },
      nextNodeId: 'mail',
    },
    {
      id: 'mail',
      type: 'action',
      config: { command: 'mail', payload: { ssn: '${nodes.check.output.ssn}' } },
      nextNodeId: 'ask',
    },
    { id: 'ask', type: 'approval', config: { title: 'Trust ${input.email}?', timeout: '1h' } },
  ],
};

test('values at redacted paths are in no record, however they travelled', async () => {
  const run = await simulate(definition, {
    input: { email: 'ann@example.com' },
    mocks: { commands: { check: { output: { ssn: '123-45-6789' } } } },
  });
  const text = JSON.stringify(run);
  for (const value of ['ann@example.com', '123-45-6789', '4711']) expect(text).not.toContain(value);
  expect(run.commands[0]?.command.payload).toEqual({ to: 'Mail [redacted]!', pin: '[redacted]' });
  expect(run.trace.map((visit) => visit.nodeId)).toEqual(['check', 'mail', 'ask']);
  expect(run.error).toMatchObject({ type: 'WAIT_TIMEOUT', nodeId: 'ask' });
});

test('the handlers and expressions still see the values', async () => {
  const run = await simulate(
    {
      ...definition,
      output: '${vars.pin == 4711 && input.email.endsWith(".com")}',
      nodes: definition.nodes
        .slice(0, 1)
        .map((node) => ({ id: node.id, type: 'action', config: { command: 'check' } })),
    },
    { input: { email: 'ann@example.com' } },
  );
  expect(run.output).toBe(true);
});

test('names of the definition are never masked, though a hidden value is the same text', async () => {
  const run = await simulate(
    {
      id: 'same-text',
      redact: ['input.text'],
      nodes: [{ id: 'check', type: 'action', config: { command: 'check' } }],
    },
    {
      input: { text: ['check', 'REFUSED', 'not for Ann'] },
      mocks: { commands: { check: { error: { type: 'REFUSED', message: 'not for Ann', retryable: false } } } },
    },
  );
  const told = { type: 'REFUSED', message: '[redacted]', nodeId: 'check' };
  expect(run.error).toEqual(told);
  expect(run.trace[0]?.error).toEqual(told);
  expect(run.commands[0]?.error).toEqual(told);
});

test('values at redacted paths are in no wait for an event, nor in what is emitted', async () => {
  const listens: Definition = {
    id: 'listens',
    redact: ['input.email'],
    nodes: [
      {
        id: 'tell',
        type: 'emit',
        config: { event: 'asked', subject: '${input.email}', data: ['${input.email}'] },
        nextNodeId: 'hear',
      },
      {
        id: 'hear',
        type: 'event',
        config: { event: 'answered', correlate: { 'data.email': '${input.email}' }, filter: 'event.data.email == 1' },
      },
    ],
  };
  const records: RunRecord[] = [];
  const run = await simulate(listens, {
    input: { email: 'ann@example.com' },
    mocks: { events: [{ after: '1s', type: 'answered', data: { email: 'ann@example.com' } }] },
    onRecord: (record) => records.push(record),
  });
  expect(JSON.stringify([run, records])).not.toContain('ann@example.com');
  expect(run.waiting[0]?.for).toBe('the event answered with data.email "[redacted]"');
  expect(run.emitted?.[0]).toMatchObject({ subject: '[redacted]', data: ['[redacted]'] });
});
