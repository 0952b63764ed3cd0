import { describe, expect, it } from '@jest/globals';
import { extractiveAnswer } from '../../../lambdas/core/chat/extractive-answer.ts';

const source = (title: string, text: string, relevance = 0.8) => ({
  ...{ url: `https://docs.example/${title}`, title, text, relevance, language: 'en', headed: text, version: title },
});
const quote = (question: string, ...sources: ReturnType<typeof source>[]) =>
  extractiveAnswer(question, sources, ['en']);

describe('a quoted answer', () => {
  it('has whole sentences in reading order', () => {
    const text =
      'Lamps burn oil. Fill the lamp with oil before dusk. Ships are made of wood. A lamp with much oil burns all night.';
    const { answer } = quote('Do I fill the lamp before dusk, and does it burn all night?', source('lamps', text));
    expect(answer).toBe('Fill the lamp with oil before dusk. A lamp with much oil burns all night. [1]');
  });

  it('keeps the lines of a list that a sentence announces', () => {
    const text =
      'To light the lamp, do this:\n1. Open the glass door.\n2. Turn the brass key.\n\nNothing else is needed here.';
    expect(quote('How do I light the lamp?', source('lamps', text)).answer).toMatch(
      /^To light the lamp, do this:\n- Open the glass door\.\n- Turn the brass key\./,
    );
  });

  it('names only the pages that it quotes, the best one first', () => {
    const sources = [
      source('oil', 'The lamp oil is sold in the harbour shop.', 0.9),
      source('ships', 'Nothing to see on this page at all.', 0.8),
      source('shop', 'Lamp oil is cheap on Mondays in winter.', 0.85),
    ];
    const { answer, sources: quoted } = quote(
      'Where is lamp oil sold, and is it cheap on Mondays in winter?',
      ...sources,
    );
    expect(quoted.map(({ title }) => title)).toEqual(['oil', 'shop']);
    expect(answer).toMatch(
      /^The lamp oil is sold in the harbour shop\. \[1\]\n\nLamp oil is cheap on Mondays in winter\. \[2\]$/,
    );
  });

  it.each([1, 5, 40, 200])('has at most 120 words of sentences with %d words', (count) => {
    const sentence = `The lamp ${'shines '.repeat(count)}at night. `;
    const { answer } = quote('When does the lamp shine?', source('lamps', sentence.repeat(80)));
    expect(answer.split(/\s+/).length).toBeLessThanOrEqual(120);
    expect(answer).toContain('lamp');
  });
});
