/**
 * Which definitions listen to events: what the index of subscriptions is built from.
 *
 * What it is not: the index; that is `definitions/matching/`.
 */
import type { Subscription } from '../definitions/matching/index.ts';
import type { Database } from './database.ts';

/** Definitions read from the database at a time, so that 100,000 of them never stand in memory twice. */
const PAGE = 5_000;

/** A definition that changed, and what it listens to now. */
export interface SubscriptionChange {
  readonly definitionId: string;
  /** Of this change. Ascending: give the last one back as `since`. */
  readonly revision: number;
  /** `null`: it is disabled or listens to nothing. */
  readonly subscription: Subscription | null;
}

/** Changes of a tenant's definitions behind the revision `since`, oldest first, each definition once; empty: no more. */
export async function subscriptionChanges(
  db: Database,
  tenant: string,
  page: { readonly since: number; readonly limit?: number },
): Promise<readonly SubscriptionChange[]> {
  const rows = await db
    .selectFrom('fermata.definitions as definitions')
    .innerJoin('fermata.definition_versions as versions', (join) =>
      join
        .onRef('versions.tenant', '=', 'definitions.tenant')
        .onRef('versions.id', '=', 'definitions.id')
        .onRef('versions.version', '=', 'definitions.active_version'),
    )
    .select(['definitions.tenant', 'definitions.id as definitionId', 'versions.version', 'versions.triggers'])
    .select(['definitions.enabled', 'definitions.revision'])
    .where('definitions.tenant', '=', tenant)
    .where('definitions.revision', '>', page.since)
    .orderBy('definitions.revision')
    .limit(page.limit ?? PAGE)
    .execute();
  return rows.map(({ enabled, revision, ...subscription }) => ({
    definitionId: subscription.definitionId,
    revision,
    subscription: enabled && subscription.triggers.length > 0 ? subscription : null,
  }));
}
