import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
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

  it('counts the same with the pattern, which a letter of a script without spaces requires', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string(),
      fc.constantFrom('é', '…', '--', '\u00a0'),
    );
    const enough = 'a '.repeat(200);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = `${enough}${parts.join('')}\n`;
        expect(countTokens(`${text}水`)).toBe(countTokens(text) + 1);
      }),
    );
  });
});
