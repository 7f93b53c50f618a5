/**
 * "Did you mean …?" for misspelt names.
 */

/** Candidates that are looked at, so that a document full of faults stays cheap. */
const MOST_CANDIDATES = 300;

/** ` (did you mean "x"?)` for the candidate that is at most two letters away, or the empty text. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  let best: string | null = null;
  let least = Math.min(2, Math.ceil(name.length / 3)) + 1;
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > MOST_CANDIDATES) break;
    if (candidate === name || Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best === null ? '' : ` (did you mean "${best}"?)`;
}

/** Letters to insert, remove or replace. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
