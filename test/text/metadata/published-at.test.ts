import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { parseDate } from '../../../lambdas/text/metadata/date-text.ts';

const dateOf = (html: string, url = 'https://example.com/'): string | undefined => extractHtml(html, url).publishedAt;
const data = (json: unknown): string => `<script type="application/ld+json">${JSON.stringify(json)}</script>`;

describe('parseDate', () => {
  it.each([
    ['2024-05-06', '2024-05-06'],
    ['2024/5/6', '2024-05-06'],
    ['2024-05-06T07:08:09.123Z', '2024-05-06T07:08:09Z'],
    ['2024-05-06 07:08 +0530', '2024-05-06T07:08:00+05:30'],
    ['2024-05-06T07:08:09', '2024-05-06'],
    ['by Ann - 2024-05-06', '2024-05-06'],
    ['Mon, 06 May 2024 07:08:09 GMT', '2024-05-06'],
    ['May 6th, 2024', '2024-05-06'],
    ['Published on 6 May 2024', '2024-05-06'],
    ['Sept. 1, 2021', '2021-09-01'],
    ['6. März 2024', '2024-03-06'],
    ['1er août 2024', '2024-08-01'],
    ['6 de mayo de 2024', '2024-05-06'],
    ['6 maggio 2024', '2024-05-06'],
    ['6 dez. 2024', '2024-12-06'],
    ['31 mrt. 2024', '2024-03-31'],
    ['2024年5月6日', '2024-05-06'],
    ['2024년 5월 6일', '2024-05-06'],
    ['06.05.2024', '2024-05-06'],
    ['1.2.3.2024', undefined],
    ['05/06/2024', undefined],
    ['2024-02-30', undefined],
    ['May 2024', undefined],
    ['1066-10-14', undefined],
    ['6 Mills 2024', undefined],
    ['6 Marathon 2024', undefined],
    ['', undefined],
  ])('reads "%s" as %s', (text, date) => {
    expect(parseDate(text)).toBe(date);
  });

  it('answers an existing day or undefined for any text', () => {
    const part = fc.constantFrom('2024', '13', '31', '-', '/', '.', ' ', 'Feb', 'mars', '年', 'T10:00', 'Z', ', ');
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }), (parts) => {
        const date = parseDate(parts.join(''));
        if (date !== undefined) expect(Number.isNaN(Date.parse(date))).toBe(false);
      }),
    );
  });
});

describe('the publication date of a page', () => {
  it('comes from metadata before embedded data, before a marked time, before a byline, before the address', () => {
    const meta = '<meta property="article:published_time" content="2024-01-01T10:00:00Z">';
    const article = data({ '@graph': [{ '@type': 'Article', datePublished: '2024-01-01' }] });
    const marked = '<time class="entry-date" datetime="2024-01-02">x</time>';
    const byline = '<h1>Mills</h1><p>By Ann, January 3, 2024</p>';
    const address = 'https://example.com/2024/01/04/mills';
    expect(dateOf(meta + article, address)).toBe('2024-01-01T10:00:00Z');
    expect(dateOf(marked + byline + article, address)).toBe('2024-01-01');
    expect(dateOf(byline + marked, address)).toBe('2024-01-02');
    expect(dateOf(byline, address)).toBe('2024-01-03');
    expect(dateOf('<p>x</p>', address)).toBe('2024-01-04');
  });

  it.each([
    ['of a change', '<h1>Mills</h1><p>Last updated May 6, 2024</p>'],
    ['of a change, labelled in a separate element', '<h1>Mills</h1><b>Updated:</b> <span>May 6, 2024</span>'],
    ['of a change, in a time', '<h1>Mills</h1>Modified <time datetime=2024-05-06>May 6</time>'],
    ['inside a sentence', `<h1>Mills</h1><p>Since May 6, 2024 <b>mills</b> ${'grind rye and wheat '.repeat(8)}</p>`],
    ['of a copyright', '<h1>Mills</h1><p>© 2024 Acme</p>'],
    ['of a film on the page', data({ '@type': 'VideoObject', uploadDate: '2024-05-06' })],
    ['of a nested video', data({ video: { datePublished: '2024-01-01' } })],
    ['of a page that is no article', data({ '@type': 'WebPage', datePublished: '2024-05-06' })],
    [
      'of a page that sells',
      `<meta property="article:published_time" content="2024-05-06">${data({ '@type': 'ItemPage' })}`,
    ],
    [
      'of the build of a site',
      '<meta property="article:published_time" content="2024-05-06">' +
        '<meta property="article:modified_time" content="2024-05-06">',
    ],
  ])('is undefined if the only date is that %s', (_, html) => {
    expect(dateOf(html)).toBeUndefined();
  });

  it('is that of a page which is not an article, if the page shows it', () => {
    const page = data({ '@type': 'WebPage', datePublished: '2024-05-06' });
    expect(dateOf(`${page}<h1>Mills</h1><p>May 6, 2024</p>`)).toBe('2024-05-06');
  });

  it('is undefined if the page shows another date', () => {
    const article = data({ '@type': 'Article', datePublished: '2024-01-01' });
    expect(dateOf(`${article}<h1>Mills</h1><p>March 5, 2024</p>`)).toBeUndefined();
    expect(dateOf(`${article}<h1>Mills</h1><p>Updated March 5, 2024</p>`)).toBe('2024-01-01');
  });

  it('has the offset of the visible time', () => {
    const meta = '<meta property="article:published_time" content="2025-12-19T03:05:00+00:00">';
    const shown = '<h1>Mills</h1><time datetime="2025-12-18T19:05:00-08:00">December 18</time>';
    expect(dateOf(meta + shown)).toBe('2025-12-18T19:05:00-08:00');
  });

  it('is undefined for a list of entries, newest first', () => {
    const entry = (day: number) => `<p><time datetime=2024-05-0${day}>x</time> Rye</p>`;
    expect(dateOf(`<h1>News</h1>${[6, 5, 3].map(entry).join('')}`)).toBeUndefined();
    expect(dateOf(`<h1>News</h1>${entry(3)}`)).toBe('2024-05-03');
  });

  it('is that of the first post of a thread', () => {
    const post = (day: number) =>
      `<div class=post>${'<p>Rye and wheat.</p>'.repeat(80)}<time datetime=2024-05-0${day}>x</time></div>`;
    expect(dateOf(`<h1>Forum</h1>${[3, 3, 5].map(post).join('')}`)).toBe('2024-05-03');
  });

  it('is undefined for embedded data that is invalid or too deep', () => {
    const script = (json: string) => `<script type="application/ld+json">${json}</script>`;
    expect(dateOf(script('{"datePublished":'))).toBeUndefined();
    expect(dateOf(script(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBeUndefined();
  });
});
