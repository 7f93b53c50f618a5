/** The lead onboarding example on real servers: its handlers as activities, its CRM in PostgreSQL. */
import type { Definition } from 'fermata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../examples/lead-onboarding/commands.ts';
import { addTag, assign, closeCrm, send, unassign } from '../../examples/lead-onboarding/crm.ts';
import article from '../../examples/lead-onboarding/definition.json' with { type: 'json' };
import { uniqueName } from '../setup/temporal.ts';
import { type ExampleStage, openExampleStage } from './example-stage.ts';

let stage: ExampleStage;
let rows: ExampleStage['rows'];
let fermata: ExampleStage['fermata'];

beforeAll(async () => {
  stage = await openExampleStage({ name: 'leads', commands, closeServices: [closeCrm] });
  ({ fermata, rows } = stage);
  await fermata.definitions.publish(quick(article as Definition));
});

afterAll(() => stage.close());

/** The article's definition with a delay that a test can wait for, under an id of this test's own. */
function quick(definition: Definition): Definition {
  const nodes = definition.nodes.map((node) => (node.type === 'delay' ? { ...node, config: { delayMs: 50 } } : node));
  return { ...definition, id: uniqueName('leads'), nodes };
}

function leadCreated(id: string, { phone = '+33100', size = 120 }: { phone?: string | null; size?: number } = {}) {
  const data = { id, name: 'Ada', email: 'ada@example.org', phone, source: 'Facebook', company: { size } };
  return { id: uniqueName('evt'), type: 'lead.created', source: '/test', data };
}

async function publish(event: ReturnType<typeof leadCreated>): Promise<string> {
  const { runs } = await fermata.events.publish(event);
  const runId = runs[0]?.runId ?? null;
  if (runId === null) throw new Error('the event started nothing');
  return runId;
}

const ownerOf = async (leadId: string): Promise<unknown> =>
  (await rows.query('select owner_id from crm.leads where id = $1', [leadId])).rows[0];

describe('lead onboarding on real servers', () => {
  it('walks the nodes in order and leaves its rows in the CRM', async () => {
    const leadId = uniqueName('lead');
    const runId = await publish(leadCreated(leadId));
    await fermata.runs.result(runId);
    await expect.poll(async () => (await fermata.runs.show(runId)).state).toBe('completed');
    const { trace } = await fermata.runs.show(runId);
    expect(trace.map(({ nodeId }) => nodeId).join(' ')).toBe('check_size assign tag welcome wait sms');
    expect(await ownerOf(leadId)).toEqual({ owner_id: expect.stringMatching(/^(olga|omar)$/) });
    const messages = await rows.query('select key, channel from crm.messages where key like $1 order by sent_at', [
      `${runId}/%`,
    ]);
    expect(messages.rows).toEqual([
      { key: `${runId}/welcome/1`, channel: 'email' },
      { key: `${runId}/sms/1`, channel: 'sms' },
    ]);
  });

  it('takes the owner back when the lead turns out to have no phone', async () => {
    const leadId = uniqueName('lead');
    const runId = await publish(leadCreated(leadId, { phone: null }));
    await expect(fermata.runs.result(runId)).rejects.toMatchObject({
      code: 'run.failed',
      details: { error: { type: 'INPUT_INVALID', nodeId: 'sms' } },
    });
    expect(await ownerOf(leadId)).toEqual({ owner_id: null });
  });

  it('leaves a small lead alone', async () => {
    const leadId = uniqueName('lead');
    await fermata.runs.result(await publish(leadCreated(leadId, { size: 3 })));
    expect(await ownerOf(leadId)).toBeUndefined();
  });
});

describe('writes of the CRM under a key', () => {
  it('answer the second time as the first, and change nothing', async () => {
    const [leadId, key] = [uniqueName('lead'), uniqueName('key')];
    const owner = await assign({ leadId, team: 'enterprise', key });
    expect(await assign({ leadId, team: 'enterprise', key })).toBe(owner);
    expect(await addTag(leadId, 'facebook')).toEqual(await addTag(leadId, 'facebook'));
    for (const body of ['first', 'second']) await send({ channel: 'sms', recipient: '+33', body, key });
    const { rows: sent } = await rows.query('select body from crm.messages where key = $1', [key]);
    expect(sent).toEqual([{ body: 'first' }]);
  });

  it('give leads to those who have the fewest, and to nobody in a team without people', async () => {
    const assignTo = (team: string) => assign({ leadId: uniqueName('lead'), team, key: uniqueName('key') });
    expect(new Set([await assignTo('enterprise'), await assignTo('enterprise')])).toEqual(new Set(['olga', 'omar']));
    expect(await assignTo('nobody')).toBeNull();
  });

  it('are taken back under their own key only', async () => {
    const leadId = uniqueName('lead');
    await assign({ leadId, team: 'starter', key: 'of an earlier run' });
    await assign({ leadId, team: 'starter', key: 'of a later run' });
    await unassign(leadId, 'of an earlier run');
    expect(await ownerOf(leadId)).toEqual({ owner_id: 'otto' });
    await unassign(leadId, 'of a later run');
    expect(await ownerOf(leadId)).toEqual({ owner_id: null });
  });
});
