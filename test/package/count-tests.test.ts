import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/count-tests.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fermata-count-'));
const report = join(folder, 'report.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function count(text: string, exitCode: number): string {
  writeFileSync(report, text);
  return spawnSync(process.execPath, [script, report, String(exitCode)], { encoding: 'utf8' }).stdout.trim();
}

test('passed and failed tests are those of the report', () => {
  expect(count('{ "numPassedTests": 7, "numFailedTests": 0 }', 0)).toBe('7 0');
  expect(count('{ "numPassedTests": 7, "numFailedTests": 2 }', 1)).toBe('7 2');
});

test('a failure outside of a test counts', () => {
  expect(count('{ "numPassedTests": 7, "numFailedTests": 0 }', 1)).toBe('7 1');
});

test('a run without tests, or without a report, is a failure', () => {
  expect(count('{ "numPassedTests": 0, "numFailedTests": 0 }', 0)).toBe('0 1');
  expect(count('', 1)).toBe('0 1');
});
