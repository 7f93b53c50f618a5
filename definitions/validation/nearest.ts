/**
 * "Did you mean …?" for misspelt names.
 */

/** Candidates that are compared letter by letter, so that a document full of faults stays cheap. */
const MOST_COMPARED = 1000;

/** The candidate that is at most two letters away, the first of the closest; `null`: none is. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.min(2, Math.ceil(name.length / 3)) + 1;
  let compared = 0;
  for (const candidate of candidates) {
    if (candidate === name || !isAlike(name, candidate, least)) continue;
    if (++compared > MOST_COMPARED) break;
    const distance = editDistance(name, candidate, least);
    if (distance < least) [best, least] = [candidate, distance];
    if (least === 1) break;
  }
  return best;
}

/** ` (did you mean "x"?)` for the nearest candidate, or the empty text. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const best = nearest(name, candidates);
  return best === null ? '' : didYouMean(best);
}

export function didYouMean(name: string): string {
  return ` (did you mean "${name}"?)`;
}

/** A slip seldom changes the first letter and the last. */
function isAlike(name: string, candidate: string, least: number): boolean {
  if (Math.abs(candidate.length - name.length) >= least) return false;
  return candidate[0] === name[0] || candidate.at(-1) === name.at(-1);
}

/** Letters to insert, remove or replace; `limit` or more is not told apart. */
function editDistance(left: string, right: string, limit: number): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    let lowest = i;
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const distance = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      lowest = Math.min(lowest, distance);
      next.push(distance);
    }
    if (lowest >= limit) return limit;
    row = next;
  }
  return row[right.length] ?? 0;
}
