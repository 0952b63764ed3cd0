import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { safeMarkdown } from '../../../lambdas/domain/answers/safe-markdown.ts';

const OWN = 'https://docs.example/a(b)';
const safe = (text: string): string => safeMarkdown(text, new Set([OWN]));

describe('Markdown of an answer', () => {
  it.each([
    ['See [the page](https://docs.example/a(b)).', 'See [the page](https://docs.example/a(b)).'],
    ['See https://docs.example/a(b).', 'See docs.example/a(b).'],
    ['See [here](https://evil.example).', 'See here.'],
    ['![pixel](https://evil.example/p.png?q=1)', 'pixel'],
    ['[![badge](https://e.example/b.svg)](https://e.example)', 'badge'],
    ['[text][id]\n[id]: https://evil.example', 'text\n'],
    ['<https://evil.example/x> and www.evil.example', 'evil.example/x and evil.example'],
    ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)>'],
    ['[x](javascript:alert(1))', 'x'],
    ['ht\u200btps://evil.example', 'evil.example'],
    ['[x]\u2060(https://evil.example)', 'x'],
    ['java\u00adscript:alert(1)', 'javascript :alert(1)'],
    ['\u202eelpmaxe.live//:sptth\u202c', 'elpmaxe.live//:sptth'],
    ['a\u0007b\u{e0041}c\u2028d\ufeff', 'abcd'],
    ['👩\u200d🚀 ❤\ufe0f نمی\u200cخواهم', '👩\u200d🚀 ❤\ufe0f نمی\u200cخواهم'],
    ['a < b and c <= d', 'a < b and c <= d'],
    ['`npm i` **now**, array[0](1)', '`npm i` **now**, array0'],
  ])('%j becomes %j', (text, expected) => {
    expect(safe(text)).toBe(expected);
  });

  it('has no link but to sources, no image and no tag, whatever it is made of', () => {
    const parts = ['[', ']', '(', ')', '!', '<', '>', 'a', ' ', '\n', ':', 'https://evil.example/', 'www.evil.example'];
    const more = [
      OWN,
      '[x]',
      '(https://evil.example)',
      '![',
      '<a href=',
      '//evil.example',
      'javascript:',
      '\ue0000\ue000',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts, ...more), { maxLength: 20 }), (list) => {
        const text = safe(list.join('')).replaceAll(`](${OWN})`, '] ').replaceAll(OWN, '');
        expect(text).not.toMatch(/\]\(|!\[|(?<!\\)<[a-z/!]|https?:\/\/|(?<![\w/.])www\.evil|\bjavascript:/i);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes linear time for hostile text', () => {
    for (const part of ['[', '![', '[a](', '](', '<', 'https://', '[a]['])
      expect(safe(part.repeat(4_000)).length).toBeLessThan(40_000);
  });
});
