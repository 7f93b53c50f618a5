import { describe, expect, test } from 'vitest';
import { CommandError, isCommandError } from '../../activities/index.ts';

describe('CommandError', () => {
  test('is retryable unless it says otherwise', () => {
    expect(new CommandError('BUSY', 'x').retryable).toBe(true);
    expect(new CommandError('BUSY', 'x', { retryable: false }).retryable).toBe(false);
  });

  test.each(['busy', 'Busy', 'BUSY_', '_BUSY', 'BUSY__NOW', '1BUSY', 'BUSY NOW', '', 'HANDLER_NOT_FOUND', 'CANCELLED'])(
    'refuses the type %j',
    (type) => expect(() => new CommandError(type, 'x')).toThrow(TypeError),
  );

  test('is told by its fields, so that another copy of the package is understood', () => {
    const foreign = Object.assign(new Error('x'), {
      name: 'CommandError',
      type: 'BUSY',
      retryable: false,
      details: undefined,
    });
    expect(isCommandError(foreign)).toBe(true);
    expect(isCommandError(new Error('x'))).toBe(false);
    expect(
      isCommandError(Object.assign(new Error('x'), { name: 'CommandError', type: 'CANCELLED', retryable: true })),
    ).toBe(false);
  });
});
