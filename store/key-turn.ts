/**
 * What a run that waits for its key waits for, as pages show it.
 */
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import type { WaitRecord } from '../definitions/records.ts';

/** Column of a query on `fermata.runs`: the run that has the key for which the row's waits. */
export const waitsFor: AliasedRawBuilder<string | null, 'waits_for'> = sql<string | null>`
  case when state = 'pending' and fermata.runs.key is not null then (
    select holder.run_id from fermata.run_keys as mine
    join fermata.run_keys as holder using (tenant, definition_id, key)
    where mine.tenant = fermata.runs.tenant and mine.run_id = fermata.runs.run_id and not mine.holds and holder.holds
  ) end`.as('waits_for');

/** A row of {@link turnOf}, inside JSON. */
export interface KeyTurn {
  readonly key: string;
  readonly since: string;
  readonly holder: string | null;
  /** Runs that come first. */
  readonly before: number;
}

/** The turn of the row `run` of `fermata.runs`, or null where it waits for none. */
export const turnOf: RawBuilder<KeyTurn | null> = sql<KeyTurn | null>`
  case when run.state = 'pending' and run.key is not null then (
    select json_build_object('key', mine.key, 'since', mine.since,
      'holder', (select holder.run_id from fermata.run_keys as holder where holder.tenant = mine.tenant
        and holder.definition_id = mine.definition_id and holder.key = mine.key and holder.holds),
      'before', (select count(*) from fermata.run_keys as other where other.tenant = mine.tenant
        and other.definition_id = mine.definition_id and other.key = mine.key
        and not other.holds and other.place < mine.place))
    from fermata.run_keys as mine
    where mine.tenant = run.tenant and mine.run_id = run.run_id and not mine.holds
  ) end`;

/** The wait of a run that has not begun. */
export function turnRecord({ key, since, holder, before }: KeyTurn): WaitRecord {
  const others =
    before === 0 ? '' : before === 1 ? ', and one more run is before it' : `, and ${before} runs are before it`;
  const what = `the key ${key}, which ${holder ?? 'another run'} has${others}`;
  return {
    kind: 'wait',
    seq: 0,
    open: true,
    waiting: { nodeId: '', kind: 'key', since: Date.parse(since), until: null, for: what },
  };
}
