/** The pipeline through the simulator: half a year of people's time in milliseconds. */
import { readFileSync } from 'node:fs';
import { createManifest, createRegistry } from 'fermata/activities';
import { type Definition, parseDefinition, type RunDocument } from 'fermata/definitions';
import { type Mocks, simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';

const handlers = createManifest(createRegistry(commands));
const text = readFileSync(new URL('definition.yaml', import.meta.url), 'utf8');
const { definition, issues } = parseDefinition(text, { file: 'definition.yaml', handlers });
type Decision = NonNullable<Mocks['decisions']>[number];

const decide = (after: string, role: string, rest: Partial<Decision> = {}): Decision => ({
  after,
  nodeId: 'sign',
  outcome: 'signed',
  by: { id: `${role}-person`, roles: [role] },
  ...rest,
});
const sendBack = (after: string, remarks: string): Decision =>
  decide(after, 'legal', { outcome: 'sent_back', data: { remarks } });
const rework = (after: string, written?: string): Decision => ({
  after,
  nodeId: 'rework',
  outcome: 'resubmitted',
  by: { id: 'ana' },
  ...(written === undefined ? {} : { data: { text: written } }),
});

function contract(decisions: readonly Decision[], value = 2000): Promise<RunDocument> {
  const data = { contractId: 'C-1', author: 'ana', text: 'We pay.', value };
  const event = { id: 'evt-1', type: 'contract.drafted', source: '/contracts', data };
  const file_contract = { output: { fileId: 'f-1' } };
  return simulate(definition as Definition, { event, handlers, mocks: { commands: { file_contract }, decisions } });
}

describe('contract approval', () => {
  it('is valid with the handlers of this folder', () => {
    expect(issues).toEqual([]);
  });

  it('goes from stage to stage, and to the board only if it is dear', async () => {
    const signed = [decide('1h', 'legal'), decide('2h', 'finance'), decide('3h', 'board')];
    expect(await contract(signed)).toMatchObject({ state: 'completed', completedAt: '2027-01-01T02:00:00.000Z' });
    expect(await contract(signed, 100_000)).toMatchObject({ completedAt: '2027-01-01T03:00:00.000Z' });
  });

  it('starts again at the first stage after a rework, with the new text', async () => {
    const run = await contract([
      decide('1h', 'legal'),
      decide('2h', 'finance', { outcome: 'sent_back', data: { remarks: 'when?' } }),
      rework('3h', 'We pay on Monday.'),
      decide('4h', 'finance'), // too early: it is at legal again
      decide('5h', 'legal'),
      decide('6h', 'finance'),
    ]);
    expect(run.output).toEqual({ fileId: 'f-1', rounds: 2 });
    expect(run.commands[0]?.command.payload).toEqual({ contractId: 'C-1', text: 'We pay on Monday.' });
  });

  it('is not signed by its author, whatever roles she has', async () => {
    const own = decide('1h', 'legal', { by: { id: 'ana', roles: ['legal'] } });
    expect(await contract([own])).toMatchObject({ state: 'failed', error: { type: 'CONTRACT_LAPSED' } });
  });

  it('may be signed by the chief of staff once it is overdue, and no sooner', async () => {
    const chief = (after: string) => decide(after, 'legal', { by: { id: 'chief-of-staff' } });
    expect(await contract([chief('2d'), decide('13d', 'finance')])).toMatchObject({ vars: { stage: 0 } });
    expect(await contract([chief('4d'), decide('5d', 'finance')])).toMatchObject({ state: 'completed' });
  });

  it('takes remarks only in their form', async () => {
    const wrong = decide('1h', 'legal', { outcome: 'sent_back', data: { remarks: 7 } });
    expect(await contract([wrong])).toMatchObject({ state: 'failed', error: { type: 'CONTRACT_LAPSED' } });
  });

  it('is rejected when it is sent back a third time, with the last remarks', async () => {
    const decisions = [
      sendBack('1h', 'too long'),
      rework('2h'),
      sendBack('3h', 'still too long'),
      rework('4h'),
      sendBack('5h', 'no'),
    ];
    expect(await contract(decisions)).toMatchObject({
      state: 'failed',
      error: { type: 'CONTRACT_REJECTED', message: 'no' },
    });
  });

  it('ends cancelled when its author withdraws it or forgets it', async () => {
    const withdrawn = await contract([sendBack('1h', 'no'), { ...rework('2h'), outcome: 'withdrawn' }]);
    const forgotten = await contract([sendBack('1h', 'no')]);
    expect([withdrawn.state, forgotten.state]).toEqual(['cancelled', 'cancelled']);
  });
});
