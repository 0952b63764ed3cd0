import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutText } from '../../../lambdas/domain/agents/cut-text.ts';

it('a text that is cut keeps the part around its middle', () => {
  const text = `${'before '.repeat(100)}the lantern burns ${'after '.repeat(100)}`;
  const cut = cutText(text, '\u2026the lantern burns\u2026', 300);
  expect(cut).toContain('the lantern burns');
  expect(cut).toMatch(/^\u2026before .* after\u2026$/);
});

it('a cut text is never longer than its limit, wherever the middle is', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 3000, unit: 'grapheme' }),
      fc.nat(),
      fc.integer({ min: 160, max: 400 }),
      (text, at, length) => {
        const middle = text.slice(at % (text.length + 1));
        expect(cutText(text, middle, length).length).toBeLessThanOrEqual(length + 1);
      },
    ),
  );
});
