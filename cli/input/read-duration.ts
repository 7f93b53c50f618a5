/** Durations of options, in the form of the language: `30s`, `2h`. */
import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../definitions/index.ts';

/** Milliseconds; for `option()`. */
export function readDuration(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError('It must be a duration such as 500ms, 30s or 2h.');
  }
}
