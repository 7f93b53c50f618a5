/**
 * How people call the command where it runs, so that a line that they are to type next can be copied as it is.
 */
import type { Io } from './io.ts';

/** What to write before a noun: in a clone, in a project that has the package, or where it is on the path. */
export function calledAs({ env }: Pick<Io, 'env'>): string {
  switch (env['npm_lifecycle_event']) {
    case 'fermata':
      return 'npm run -s fermata --';
    case 'npx':
      return 'npx fermata';
    default:
      return 'fermata';
  }
}
