import { describe, expect, it } from '@jest/globals';
import { countWords, firstWords } from '../../../lambdas/text/words/count-words.ts';

const CHINESE = '故宫在北京，建于一四〇六年。';
const THAI = 'ประเทศไทยมีประชากรมาก';

describe('the words of a text', () => {
  it.each([
    ['blanks', 'The lamp burns oil.', 4],
    ['Korean, which has blanks', '등불은 기름을 태운다', 3],
  ])('are between its blanks: %s', (_, text, count) => expect(countWords(text)).toBe(count));

  it.each([
    ['Chinese', CHINESE, 5, 11],
    ['Japanese', 'この橋は1932年に建てられました。', 5, 12],
    ['Thai', THAI, 3, 6],
  ])('are those of a dictionary where it has no blanks: %s', (_, text, least, most) => {
    expect(countWords(text)).toBeGreaterThanOrEqual(least);
    expect(countWords(text)).toBeLessThanOrEqual(most);
  });

  it.each([CHINESE, THAI, 'The lamp burns oil.'])('are cut between two of them: %s', (text) => {
    const beginning = firstWords(text, 2);
    expect(text.startsWith(beginning)).toBe(true);
    expect(beginning.length).toBeLessThan(text.length);
    expect(countWords(beginning)).toBe(2);
    expect(firstWords(text, 1000)).toBe(text);
  });

  it('are counted quickly in a long text', () => {
    const start = performance.now();
    countWords(CHINESE.repeat(5_000));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
