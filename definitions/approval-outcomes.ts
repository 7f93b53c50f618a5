/** Outcomes of an approval that names none; the first is the good one. */
export const DEFAULT_OUTCOMES: readonly string[] = ['approved', 'rejected'];
