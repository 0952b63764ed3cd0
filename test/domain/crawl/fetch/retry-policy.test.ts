import { describe, expect, it } from '@jest/globals';
import { nextTry } from '../../../../lambdas/domain/crawl/fetch/visit.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('the next try of a URL', () => {
  it('a retry waits as long as the server asks, or else twice as long each time', () => {
    expect(nextTry(429, '30', {}, NOW)).toEqual({ tries: 1, notBefore: NOW + 30_000 });
    const waits = [0, 1, 2, 3, 4].map((tries) => (nextTry(429, undefined, { tries }, NOW)?.notBefore ?? 0) - NOW);
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000]);
  });

  it.each([
    [429, 5],
    [503, 2],
    [502, 1],
    [504, 1],
    ['connection', 1],
  ] as const)('after %s comes %i times, and then no more', (fault, times) => {
    expect(nextTry(fault, undefined, { tries: times - 1 }, NOW)).toBeDefined();
    expect(nextTry(fault, undefined, { tries: times }, NOW)).toBeUndefined();
  });

  it.each([500, 403, 'timeout', 'dns', 'private_address', 'too_large'] as const)('does not come after %s', (fault) => {
    expect(nextTry(fault, '1', {}, NOW)).toBeUndefined();
  });

  it('a retry is given up if the server asks for more than two minutes', () => {
    expect(nextTry(503, '120', {}, NOW)).toBeDefined();
    expect(nextTry(503, '121', {}, NOW)).toBeUndefined();
    expect(nextTry(503, '9999999999', {}, NOW)).toBeUndefined();
  });

  it('a URL is retried at most twice where some URLs are refused permanently', () => {
    expect(nextTry(429, undefined, { tries: 1 }, NOW, 3)).toBeDefined();
    expect(nextTry(429, undefined, { tries: 2 }, NOW, 3)).toBeUndefined();
  });
});
