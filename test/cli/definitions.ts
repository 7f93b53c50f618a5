/** Definitions and events that the tests of the command line call by name. */
import type { Definition } from '../../definitions/index.ts';

/** The example of `docs/language.md`, section 9. */
export const LEAD: Definition = {
  id: 'facebook-lead-onboarding',
  trigger: { event: 'lead.created', filters: { source: 'Facebook' } },
  nodes: [
    {
      id: 'check_size',
      type: 'condition',
      config: { expression: 'event.data.company.size >= 50' },
      nextNodeId: 'assign',
    },
    {
      id: 'assign',
      type: 'action',
      config: { command: 'assign_lead', payload: { leadId: '${event.data.id}', team: 'enterprise' }, undo: true },
      nextNodeId: 'wait',
    },
    { id: 'wait', type: 'delay', config: { delayMs: 7200000 }, nextNodeId: 'sms' },
    {
      id: 'sms',
      type: 'action',
      config: { command: 'send_sms', payload: { to: '${event.data.phone}', owner: '${nodes.assign.output.ownerId}' } },
    },
  ],
};

export const LEAD_CREATED = {
  id: 'e1',
  type: 'lead.created',
  source: '/crm',
  data: { source: 'Facebook', id: 'L1', phone: '+1', company: { size: 80 } },
};

export const LEAD_MOCKS = 'commands:\n  assign_lead: { output: { ownerId: o7 }, takes: 3s }\n';

/** Ends failed. */
export const FAILING: Definition = {
  id: 'failing',
  nodes: [{ id: 'stop', type: 'end', config: { status: 'failed', error: { type: 'SOLD_OUT', message: 'none left' } } }],
};
