/**
 * Which definitions listen to events: what the index of subscriptions is built from.
 *
 * What it is not: the index; that is `definitions/matching/`.
 */
import type { Subscription } from '../definitions/matching/index.ts';
import type { Definition, EventTrigger } from '../definitions/types.ts';
import type { Database } from './database.ts';

/** Definitions read from the database at a time. */
const PAGE = 5_000;

/** The triggers of a document that an event can fire; empty when there are none. */
export function eventTriggers(document: Definition): EventTrigger[] {
  const triggers = document.trigger === undefined ? [] : [document.trigger].flat();
  return triggers.filter((trigger): trigger is EventTrigger => 'event' in trigger && !('webhook' in trigger));
}

/** Every subscription of every tenant, in pages, so that 100,000 of them never stand in memory twice. */
export async function* allSubscriptions(db: Database): AsyncGenerator<readonly Subscription[], void, undefined> {
  let after = { tenant: '', id: '' };
  for (;;) {
    const rows = await subscribed(db)
      .where((eb) => eb(eb.refTuple('definitions.tenant', 'definitions.id'), '>', eb.tuple(after.tenant, after.id)))
      .orderBy('definitions.tenant')
      .orderBy('definitions.id')
      .limit(PAGE)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.filter((row) => row.triggers.length > 0);
    if (rows.length < PAGE) return;
    after = { tenant: last.tenant, id: last.definitionId };
  }
}

/** What one definition listens to now; `null`: it is unknown, disabled, or listens to nothing. */
export async function findSubscription(
  db: Database,
  key: { readonly tenant: string; readonly id: string },
): Promise<Subscription | null> {
  const row = await subscribed(db)
    .where('definitions.tenant', '=', key.tenant)
    .where('definitions.id', '=', key.id)
    .executeTakeFirst();
  return row === undefined || row.triggers.length === 0 ? null : row;
}

function subscribed(db: Database) {
  return db
    .selectFrom('fermata.definitions as definitions')
    .innerJoin('fermata.definition_versions as versions', (join) =>
      join
        .onRef('versions.tenant', '=', 'definitions.tenant')
        .onRef('versions.id', '=', 'definitions.id')
        .onRef('versions.version', '=', 'definitions.active_version'),
    )
    .select(['definitions.tenant', 'definitions.id as definitionId', 'versions.version', 'versions.triggers'])
    .where('definitions.enabled', '=', true);
}
