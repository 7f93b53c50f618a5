import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../definitions/error-codes.ts';
import { FermataError, isFermataError } from '../../definitions/fermata-error.ts';
import { ISSUE_CODES } from '../../definitions/issue-codes.ts';
import { errorDocs } from '../../scripts/error-docs.ts';

test('an error carries its code, details and whether to try again, and prints without its stack', () => {
  const cause = new Error('connection refused');
  const error = new FermataError('store.unavailable', 'no database', { host: 'h' }, { cause });
  expect(error).toBeInstanceOf(Error);
  expect(error.retryable).toBe(true);
  expect(error.cause).toBe(cause);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'store.unavailable',
    message: 'no database',
    details: { host: 'h' },
  });
  expect(new FermataError('run.not_found', 'x').details).toBeNull();
});

test('the guard goes by fields, so that it holds for another copy of the package', () => {
  expect(isFermataError(new FermataError('run.not_found', 'x'))).toBe(true);
  expect(isFermataError({ name: 'FermataError', code: 'run.not_found', message: '', details: null })).toBe(true);
  for (const other of [null, 'run.not_found', new Error('x'), { name: 'FermataError', code: 'toString' }]) {
    expect(isFermataError(other)).toBe(false);
  }
});

test('every code says what happened and what to do', () => {
  for (const [code, { summary, remedy }] of Object.entries(ERROR_CODES)) {
    expect(code).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(summary.length).toBeGreaterThan(10);
    expect(remedy.length).toBeGreaterThan(10);
  }
  for (const code of Object.keys(ISSUE_CODES)) expect(code).toMatch(/^definition\.[a-z_]+$/);
});

test('docs/errors.md is current (npm run generate)', () => {
  expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorDocs());
});
