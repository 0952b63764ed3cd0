import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';
import { pageLinks } from '../../../lambdas/text/metadata/page-links.ts';

const BASE = 'https://example.org/docs/index.html';
const linksOf = (...hrefs: readonly string[]): readonly string[] =>
  pageLinks(parseHtml(hrefs.map((href) => `<a href="${href}">x</a>`).join('')), BASE).map(({ href }) => href);

function parsed(href: string): readonly string[] {
  const url = href.startsWith('#') ? null : URL.parse(href, BASE);
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  url.hash = '';
  return [url.href];
}

describe('the links of a page', () => {
  it('have no fragments and no duplicates', () => {
    expect(linksOf('a.html#b', 'a.html', 'a.html#c', '#d', './a.html?e#f', '?e')).toEqual([
      'https://example.org/docs/a.html',
      'https://example.org/docs/a.html?e',
      'https://example.org/docs/index.html?e',
    ]);
  });

  it('are resolved as by the URL standard, with white space and punctuation anywhere', () => {
    const part = fc.constantFrom(
      'a',
      '/',
      ' ',
      '#',
      '?',
      '\t',
      '\n',
      '%23',
      '//h',
      ':',
      'http:',
      'mailto:',
      '@',
      '\\',
      'ü',
      '.',
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.array(part).map((parts) => parts.join('')),
          { maxLength: 5 },
        ),
        (hrefs) => {
          expect(linksOf(...hrefs)).toEqual([...new Set(hrefs.flatMap(parsed))]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('may be followed if one of the links to a page has no nofollow', () => {
    const link = (rel: string, href: string): string => `<a rel="${rel}" href="${href}">x</a>`;
    const html = link('nofollow', 'a#1') + link('', 'a#2') + link('nofollow', 'a') + link('ugc NoFollow', 'b');
    expect(pageLinks(parseHtml(html), BASE)).toEqual([
      { href: 'https://example.org/docs/a', nofollow: false },
      { href: 'https://example.org/docs/b', nofollow: true },
    ]);
  });
});
