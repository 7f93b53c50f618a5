/** The definition through the simulator: the same walker as in production, a virtual clock, no servers. */
import { createManifest, createRegistry } from 'fermata/activities';
import { checkDefinition, type Definition } from 'fermata/definitions';
import { type Mocks, simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';
import document from './definition.json' with { type: 'json' };

const handlers = createManifest(createRegistry(commands));
const definition = document as Definition;

function lead({ size = 120, source = 'Facebook' } = {}) {
  const data = { id: 'lead-1', name: 'Ada', email: 'ada@example.org', phone: '+33100', source, company: { size } };
  return { id: 'evt-1', type: 'lead.created', source: '/facebook', time: '2027-01-01T00:00:00Z', data };
}

const MOCKS = {
  commands: {
    assign_lead: { output: { ownerId: 'olga' } },
    add_tag: { output: { tags: ['facebook'] } },
    send_email: { output: { messageId: 'm-1' } },
    send_sms: { output: { messageId: 'm-2' } },
  },
} satisfies Mocks;

const run = (event = lead(), mocks: Mocks = MOCKS) => simulate(definition, { event, mocks, handlers });

describe('lead onboarding', () => {
  it('is valid with the handlers of this folder', () => {
    expect(checkDefinition(document, { handlers })).toMatchObject({ issues: [] });
  });

  it('onboards a large lead: assigned, tagged, welcomed, and asked two hours later', async () => {
    const { state, trace, commands: ordered, completedAt } = await run();
    expect(state).toBe('completed');
    expect(trace.map(({ nodeId }) => nodeId)).toEqual(['check_size', 'assign', 'tag', 'welcome', 'wait', 'sms']);
    expect(ordered.map(({ command }) => command.payload)).toEqual([
      { leadId: 'lead-1', team: 'enterprise' },
      { leadId: 'lead-1', tag: 'facebook' },
      { to: 'ada@example.org', template: 'welcome', owner: 'olga' },
      { to: '+33100', text: 'Any questions, Ada?' },
    ]);
    expect(completedAt).toBe('2027-01-01T02:00:00.000Z');
  });

  it('does nothing for a small lead', async () => {
    const { state, commands: ordered } = await run(lead({ size: 12 }));
    expect({ state, ordered }).toEqual({ state: 'completed', ordered: [] });
  });

  it('is not started by leads from elsewhere', async () => {
    await expect(run(lead({ source: 'Newsletter' }))).rejects.toMatchObject({ code: 'event.not_matched' });
  });

  it('takes the owner back when a later step fails for good', async () => {
    const gone = { error: { type: 'NO_SUCH_NUMBER', message: 'the number is not in use', retryable: false } };
    const { state, error, commands: ordered } = await run(lead(), { commands: { ...MOCKS.commands, send_sms: gone } });
    expect({ state, type: error?.type, nodeId: error?.nodeId }).toEqual({
      state: 'failed',
      type: 'NO_SUCH_NUMBER',
      nodeId: 'sms',
    });
    expect(ordered.map(({ nodeId, state: of, undoes }) => [nodeId, of, undoes !== undefined])).toEqual([
      ['assign', 'rolled_back', false],
      ['tag', 'success', false],
      ['welcome', 'success', false],
      ['sms', 'failed', false],
      ['assign', 'success', true],
    ]);
  });
});
