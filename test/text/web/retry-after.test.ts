import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from '../../../lambdas/text/web/retry-after.ts';

const NOW = Date.UTC(2026, 0, 1);
const CENTURY_MS = 100 * 365 * 86_400_000;

describe('the header Retry-After', () => {
  it.each([
    ['7', 7000],
    [' 7 ', 7000],
    ['0', 0],
    ['1234567890', 1_234_567_890_000],
    ['9999999999', CENTURY_MS],
    ['9'.repeat(400), CENTURY_MS],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
    ['Thu Jan  1 00:00:30 2026', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['Fri, 01 Jan 9999 00:00:00 GMT', CENTURY_MS],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['at 5', undefined],
    ['Thu, 99 Foo 2026 00:00:30 GMT', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j asks for %s ms', (value, expected) => {
    expect(retryAfterMs(value, NOW)).toBe(expected);
  });
});
