/**
 * Whether a trigger that the look-up found really holds, and if not, why.
 *
 * Invariants:
 * 1. `holds` is `mismatch === null`, only quicker: it trusts the look-up, so it may be asked only of a candidate that was
 *    found for this event's data.
 * 2. An expression that cannot be evaluated does not hold. Nothing in an event makes either of them throw.
 */
import { filterHolds, matchFilters } from '../filters.ts';
import { knownPath } from '../json/known-paths.ts';
import { valueAt } from '../json/path.ts';
import type { CloudEvent, FilterTest } from '../types.ts';
import type { Candidate } from './event-type-index.ts';
import { expressionMismatch } from './filter-expression.ts';
import type { Mismatch } from './mismatch.ts';
import { conditionsHold, readPlainFilter } from './plain-filter.ts';

export function holds(candidate: Candidate, event: CloudEvent): boolean {
  const { asked, filters, filter } = candidate;
  for (const path of asked) {
    if (!filterHolds(filters[path] as FilterTest, valueAt(event.data, knownPath(path).keys))) return false;
  }
  return filter === null || expressionHolds(filter, event);
}

function expressionHolds(filter: string, event: CloudEvent): boolean {
  const { conditions, whole } = readPlainFilter(filter);
  if (!conditionsHold(conditions, event.data)) return false;
  return whole || expressionMismatch(filter, event) === null;
}

export function mismatch(candidate: Candidate, event: CloudEvent): Mismatch | null {
  const failed = matchFilters(candidate.filters, event.data);
  if (failed !== null) return { kind: 'filters', path: failed.path, message: failed.message };
  return candidate.filter === null ? null : expressionMismatch(candidate.filter, event);
}
