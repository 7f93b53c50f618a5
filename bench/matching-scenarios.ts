/**
 * Subscriptions and events for `bench/matching.ts`, all computed from their place, none random.
 *
 * - `three`: one tenant, one type, 3 matches at every size. Six triggers equal the event (account and kind, in two sets
 *   of fields); a range lets three through.
 * - `three-cel`: the same, the range as a plain CEL `filter`, which the index reads by itself.
 * - `three-cel-own`: the same, with a filter that only CEL can read and that no other definition has, so that hardly any
 *   is compiled already.
 * - `tenants`: 5,000 tenants, ten types, 1 to 4 conditions.
 * - `hot`: one tenant, one type, few values: one in 1,440 subscriptions matches, so matches grow with size.
 */
import type { Subscription } from '../definitions/matching/index.ts';
import type { CloudEvent, EventTrigger, Filters, Json } from '../definitions/types.ts';

export type ScenarioName = 'three' | 'three-cel' | 'three-cel-own' | 'tenants' | 'hot';

/** `place` counts from 0; `size` is the number of subscriptions in the index. */
export interface Scenario {
  readonly subscription: (place: number, size: number) => Subscription;
  readonly event: (place: number, size: number) => CloudEvent;
}

const TENANTS = 5000;
const TYPES = 10;
const COUNTRIES = ['DE', 'FR', 'IT', 'ES', 'PL', 'SE'];
const CHANNELS = ['web', 'shop', 'phone', 'api', 'mail'];
/** Coprime to the sizes in use: walks over all accounts in an order without pattern. */
const STRIDE = 7919;

/** The tenant of a bench event is its source. */
export const TENANT_OF = (event: CloudEvent): string => event.source;

function subscribe(tenant: string, place: number, trigger: EventTrigger): Subscription {
  return { tenant, definitionId: `definition-${String(place).padStart(7, '0')}`, version: 1, triggers: [trigger] };
}

function bearing(tenant: string, type: string, data: { readonly [key: string]: Json }): CloudEvent {
  const rest = { currency: 'EUR', name: 'Ada Lovelace', email: 'ada@example.com', note: 'hello', items: [1, 2, 3] };
  return { id: 'e', type, source: tenant, time: '2027-01-01T00:00:00Z', data: { ...rest, ...data } };
}

/** Six subscriptions per account; every second one lets the event through. */
function three(judge: (place: number) => Partial<EventTrigger>): Scenario {
  return {
    subscription: (place) => {
      const account: Filters = { accountId: `account-${Math.floor(place / 6)}` };
      const own = judge(place);
      const equal = place % 6 < 3 ? account : { ...account, 'order.kind': ['new', 'renewed'] };
      return subscribe('default', place, { event: 'order.placed', ...own, filters: { ...equal, ...own.filters } });
    },
    event: (place, size) =>
      bearing('default', 'order.placed', {
        accountId: `account-${(place * STRIDE) % Math.max(1, Math.floor(size / 6))}`,
        order: { kind: 'new', total: 500 },
        score: 600,
        country: COUNTRIES[place % 6] ?? '',
        channel: CHANNELS[place % 5] ?? '',
        vip: place % 2 === 0,
        age: place % 90,
      }),
  };
}

/** 1,000 to 1,499 stops the event's 500 or 600, 0 to 499 does not. */
const threshold = (place: number) => (place % 2) * 1000 + (place % 500);

const tenants: Scenario = {
  subscription: (place) => {
    const conditions: [string, Filters[string]][] = [
      ['customer', place % 97],
      ['country', COUNTRIES[place % 6] ?? ''],
      ['order.total', { gte: (place % 10) * 100 }],
      ['channel', ['web', CHANNELS[place % 5] ?? '']],
    ];
    const filters = Object.fromEntries(conditions.slice(0, 1 + (place % 4)));
    return subscribe(`tenant-${place % TENANTS}`, place, {
      event: `type-${Math.floor(place / TENANTS) % TYPES}`,
      filters,
    });
  },
  // What the subscription at a place wants, but for the amount.
  event: (place, size) => {
    const target = (place * STRIDE) % size;
    return bearing(`tenant-${target % TENANTS}`, `type-${Math.floor(target / TENANTS) % TYPES}`, {
      customer: target % 97,
      country: COUNTRIES[target % 6] ?? '',
      order: { kind: 'new', total: 500 },
      channel: CHANNELS[target % 5] ?? '',
      score: place % 100,
      vip: place % 2 === 0,
      age: place % 90,
    });
  },
};

const hot: Scenario = {
  subscription: (place) =>
    subscribe('default', place, {
      event: 'order.placed',
      filters: {
        customer: place % 72,
        country: COUNTRIES[Math.floor(place / 72) % 6] ?? '',
        'order.total': { gte: Math.floor(place / 432) % 10 < 3 ? 100 : 900 },
      },
    }),
  event: (place) =>
    bearing('default', 'order.placed', {
      customer: place % 72,
      country: COUNTRIES[place % 6] ?? '',
      order: { kind: 'new', total: 500 },
      channel: CHANNELS[place % 5] ?? '',
      score: place % 100,
      vip: place % 2 === 0,
      age: place % 90,
    }),
};

export const SCENARIOS: { readonly [name in ScenarioName]: Scenario } = {
  three: three((place) => ({ filters: { 'order.total': { gte: threshold(place) } } })),
  'three-cel': three((place) => ({ filter: `event.data.score > ${threshold(place)}` })),
  'three-cel-own': three((place) => ({
    filter: `event.data.score > ${threshold(place)} && size(event.data.items) != ${place}`,
  })),
  tenants,
  hot,
};
