import type { Subscription } from '../../../definitions/matching/index.ts';
import type { CloudEvent, EventTrigger, Filters, Json } from '../../../definitions/types.ts';

export function event(data: Json, over: Partial<CloudEvent> = {}): CloudEvent {
  return { id: 'e-1', type: 'lead.created', source: '/crm', time: '2027-01-01T00:00:00Z', data, ...over };
}

export function trigger(filters?: Filters, over: Partial<EventTrigger> = {}): EventTrigger {
  return { event: 'lead.created', ...(filters && { filters }), ...over };
}

export function subscription(definitionId: string, ...triggers: EventTrigger[]): Subscription {
  return { tenant: 'default', definitionId, version: 1, triggers };
}
