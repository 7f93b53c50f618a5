/**
 * Prints `<passed> <failed>` of a run of vitest, from its JSON report and its exit code.
 *
 * 1. What failed outside of a test (a hook, a file that cannot be loaded, a leaked handle, an unhandled rejection) counts
 *    as a failure: a run that exited with an error has at least one.
 * 2. A run without any test counts as a failure.
 */
import { readFileSync } from 'node:fs';

const [report = '', exitCode = '1'] = process.argv.slice(2);

/** @typedef {{ numPassedTests: number, numFailedTests: number }} Counts */

/** @returns {Counts} nothing passed where there is no report */
function read() {
  try {
    return /** @type {Counts} */ (JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}

const { numPassedTests, numFailedTests } = read();
const isFailure = exitCode !== '0' || numPassedTests === 0;
console.log(`${numPassedTests} ${Math.max(numFailedTests, isFailure ? 1 : 0)}`);
