import { describe, expect, it } from '@jest/globals';
import { countWords, firstWords } from '../../../lambdas/text/words/count-words.ts';

const CHINESE = '故宫在北京，建于一四〇六年。';
const THAI = 'ประเทศไทยมีประชากรมาก';

describe('the words of a text', () => {
  it.each([
    ['blanks', 'The lamp burns oil.', 4],
    ['Korean, which has blanks', '등불은 기름을 태운다', 3],
  ])('words are between the blanks of a text: %s', (_, text, count) => expect(countWords(text)).toBe(count));

  it.each([
    ['Chinese', CHINESE, 5, 11],
    ['Japanese', 'この橋は1932年に建てられました。', 5, 12],
    ['Thai', THAI, 3, 6],
  ])('words are those of a dictionary in a text without blanks: %s', (_, text, least, most) => {
    expect(countWords(text)).toBeGreaterThanOrEqual(least);
    expect(countWords(text)).toBeLessThanOrEqual(most);
  });

  it.each([CHINESE, THAI, 'The lamp burns oil.'])('a text is cut between two words: %s', (text) => {
    const beginning = firstWords(text, 2);
    expect(text.startsWith(beginning)).toBe(true);
    expect(beginning.length).toBeLessThan(text.length);
    expect(countWords(beginning)).toBe(2);
    expect(firstWords(text, 1000)).toBe(text);
  });

  it('the words of a long text are counted quickly', () => {
    const start = performance.now();
    countWords(CHINESE.repeat(5_000));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
