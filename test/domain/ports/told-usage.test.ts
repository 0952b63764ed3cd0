import { describe, expect, it } from '@jest/globals';
import { plausibleTokens, reportedUsage } from '../../../lambdas/domain/ports/rules/reported-usage.ts';

const QUESTION = [{ role: 'user' as const, content: 'How does a crawl survive a kill?' }];

describe('the usage that a provider tells', () => {
  it('the usage is counted as the provider reports it', () => {
    expect(reportedUsage({ inputTokens: 900, outputTokens: 30 }, QUESTION, 'Well.')).toEqual({
      inputTokens: 900,
      outputTokens: 30,
    });
  });

  it.each([
    ['nothing', { inputTokens: 0, outputTokens: 0 }],
    ['more than any model reads or writes', { inputTokens: 9e15, outputTokens: 9e15 }],
  ])('is estimated if it is %s', (_, told) => {
    const { inputTokens, outputTokens } = reportedUsage(told, QUESTION, 'Well enough.');
    expect(inputTokens).toBeGreaterThan(5);
    expect(inputTokens).toBeLessThan(20);
    expect(outputTokens).toBeGreaterThan(1);
    expect(outputTokens).toBeLessThan(10);
  });

  it('the usage may exceed what was sent, by a prompt that the provider adds', () => {
    expect(plausibleTokens(5000, ['one'])).toBe(5000);
    expect(plausibleTokens(50_000, ['one'])).toBe(1);
    expect(plausibleTokens(undefined, ['one'])).toBe(1);
  });
});
