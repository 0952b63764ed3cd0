import { describe, expect, it } from '@jest/globals';
import { countTokens } from '../../../lambdas/text/chunking/count-tokens.ts';

describe('countTokens', () => {
  it.each([
    ['', 1],
    ['Rye, wheat and oats.', 4],
    ['Getreidemühlenbesitzer', 3],
    ['水车磨面', 4],
    ['run(a, [b]);', 4],
    ['--------', 2],
    ['🙂🙂🙂🙂🙂🙂🙂🙂', 2],
    [' '.repeat(100), 10],
    ['- '.repeat(50), 10],
  ])('counts "%s" as %d', (text, count) => {
    expect(countTokens(text)).toBe(count);
  });
});
