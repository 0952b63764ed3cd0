import { describe, expect, it } from '@jest/globals';
import { PHRASE_LANGUAGES, phrasesOf, refusalText } from '../../../lambdas/domain/answers/phrases.ts';

const CASED: ReadonlySet<string> = new Set(['ar', 'hi', 'ja', 'ko', 'th', 'zh']);

describe('the phrases of an answer', () => {
  it('phrases are there for many languages, in their scripts', () => {
    for (const language of 'ar de el en es fr hi it ja ko nl pl pt ro ru th tr vi zh'.split(' '))
      expect(PHRASE_LANGUAGES).toContain(language);
    for (const language of PHRASE_LANGUAGES) {
      const phrases = Object.values(phrasesOf(language));
      expect(phrases.every((phrase) => phrase.trim() === phrase && phrase !== '')).toBe(true);
      expect(/\p{Lu}/u.test(phrasesOf(language).refusal)).toBe(!CASED.has(language));
    }
  });

  it('phrases are English for other languages', () => expect(phrasesOf('fi')).toBe(phrasesOf('en')));

  it('a refusal names pages after a blank, but not in Chinese and Japanese', () => {
    expect(refusalText(phrasesOf('en'), ['Lamps', 'Oil'])).toBe(
      'These pages do not answer this question. You could ask about: Lamps · Oil',
    );
    expect(refusalText(phrasesOf('zh'), ['灯', '油'])).toBe('这些页面没有回答这个问题。您可以询问：灯 · 油');
    expect(refusalText(phrasesOf('ja'), [])).toBe(
      'これらのページには、この質問への答えがありません。別の言葉でお試しください。',
    );
  });
});
