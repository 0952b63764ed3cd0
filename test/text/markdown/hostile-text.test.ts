import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { marked } from 'marked';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';
import { blocksMarkdown } from '../../../lambdas/text/markdown/page-markdown.ts';
import type { Block } from '../../../lambdas/text/page-content.ts';
import { shownText } from './outline.ts';

const URL_OF_PAGE = 'https://www.example/a/page';

/** Pieces of Markdown, of HTML, and of what people do not see. */
const PIECES = [
  ...['#', '##', '-', '+', '*', '**', '_', '>', '|', '---', '===', ':-', '`', '``', '```', '~', '~~', '~~~', '\\', '!'],
  ...['[', ']', '(', ')', '[x](/evil)', '![i](y)', '[x]: /z', '1.', '2)', '<', '>', '<b>', '</p>', '<!--'],
  ...[
    '<script>',
    '&',
    '&lt;',
    '&#60;',
    '\u200b',
    '\u202e',
    '\u2066',
    '\u{e0041}',
    '\ufe01',
    '\u00ad',
    '\u0007',
    '\ue000',
  ],
  ...['a', 'Z', '9', 'ß', 'é', 'word', ' ', '  ', '\n', '\t', '.', ',', '"', '{', '}', '=', '$', 'x_y'],
];
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));

const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const INVISIBLE = /[[\p{Cc}--[\t\n]]\p{Cf}\p{Co}]|\p{Variation_Selector}/gv;
const shown = (text: string): string => text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

const clean = (content: string): string =>
  extractHtml(content, URL_OF_PAGE, { clean: true, title: 'T' }).markdown ?? '';

/** The elements that a reader of Markdown makes, in order, without emphasis. */
const elements = (markdown: string): string =>
  parseHtml(marked.parse(markdown, { async: false }))
    .map(({ name }) => name)
    .filter((name) => !/^(?:|#document|em|strong)$/.test(name))
    .join(' ');
const rendered = (markdown: string): string => shownText(marked.parse(markdown, { async: false }));

/** Where a text can be, and the elements of a page with nothing else. */
const PLACES: readonly (readonly [name: string, around: (text: string) => string, elements: string | RegExp])[] = [
  ['a paragraph', (text) => `<p>x${text}</p>`, 'p'],
  ['a paragraph from its start', (text) => `<p>${text} x</p>`, 'p'],
  ['lines', (text) => `<p>a | b<br>${text} x<br>c</p>`, 'p br br'],
  ['a heading', (text) => `<h2>x${text}x</h2>`, 'h2'],
  ['an item', (text) => `<ul><li>${text} x</li></ul>`, 'ul li'],
  ['a quote', (text) => `<blockquote><p>${text} x</p></blockquote>`, 'blockquote p'],
  ['a link', (text) => `<p><a href="/t">x${text}</a></p>`, 'p a'],
  ['an emphasis', (text) => `<p>a<b>x${text}</b>b</p>`, 'p'],
  ['divided elements', (text) => `<p>x${text}<b>${text}</b>${text}<i>${text}</i></p>`, 'p'],
  ['code in a line', (text) => `<p><code>x${text}</code></p>`, 'p code'],
  ['a code block', (text) => `<pre><code>x${text}</code></pre>`, 'pre code'],
  [
    'a cell',
    (text) =>
      `<table><tr><th>H</th> <th>x${text}</th></tr> <tr><td>${text} x</td> <td><code>x${text}</code></td></tr></table>`,
    /^table thead tr th th tbody tr td td(?: code)?$/,
  ],
];

describe('text of a page', () => {
  it.each(PLACES)('makes no structure in Markdown, and reads as on the page: in %s', (_, around, expected) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const page = around(html(text));
        const markdown = clean(page);
        expect(elements(markdown)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
        expect(rendered(markdown)).toBe(shown(shownText(page)));
        expect(markdown).not.toMatch(INVISIBLE);
      }),
      { numRuns: 400 },
    );
  });

  it.each(['text', 'list', 'code'] as const)('makes no structure where only a block of %s is stored', (kind) => {
    const expected = { text: 'p', list: 'ul li', code: 'pre code' }[kind];
    fc.assert(
      fc.property(hostile, (text) => {
        const block: Block = { kind, text: `x${text.replaceAll('\n', ' ')}` };
        expect(elements(blocksMarkdown([block]))).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });
});
