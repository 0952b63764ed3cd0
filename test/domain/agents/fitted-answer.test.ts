import { describe, expect, it } from '@jest/globals';
import { fittedAnswer, OWNER_TOKENS } from '../../../lambdas/domain/agents/fitted-answer.ts';
import { mostTokens } from '../../../lambdas/domain/agents/token-budget.ts';

const tokensOf = (texts: readonly string[]): number => mostTokens(texts.join(''));

describe('an answer to an owner\u2019s agent', () => {
  it('is as it is if it fits', () => {
    expect(fittedAnswer({ items: [1, 2] }, ['limit'])).toEqual(['{"items":[1,2]}']);
  });

  it('has fewer entries of its longest list if it does not fit, and says how many', () => {
    const items = Array.from({ length: 500 }, (_, n) => ({ url: `https://a.example/${n}`, title: 'x'.repeat(100) }));
    const [json = '', note = ''] = fittedAnswer({ items, nextCursor: 'c' }, ['limit', 'cursor', 'q']);
    const shown = JSON.parse(json) as { readonly items: readonly unknown[]; readonly nextCursor: string };
    expect(tokensOf([json, note])).toBeLessThanOrEqual(OWNER_TOKENS);
    expect(shown.nextCursor).toBe('c');
    expect(note).toContain(
      `items to ${shown.items.length} of 500. For the rest, call the tool again with \`limit\` or`,
    );
  });

  it('is valid JSON within its size, whatever is large in it', () => {
    const large = [
      { text: 'é'.repeat(60_000) },
      { a: { b: [{ c: 'x'.repeat(90_000) }] } },
      Array.from({ length: 3000 }, (_, n) => [n, n]),
      { many: Array.from({ length: 200 }, () => ({ list: Array.from({ length: 50 }, () => 'word') })) },
    ];
    for (const answer of large) {
      const texts = fittedAnswer(answer, []);
      expect(tokensOf(texts)).toBeLessThanOrEqual(OWNER_TOKENS);
      expect(() => JSON.parse(texts[0] ?? '')).not.toThrow();
      expect(texts[1]).toContain('was cut');
    }
  });
});
