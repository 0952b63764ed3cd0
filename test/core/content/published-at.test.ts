import { describe, expect, it } from '@jest/globals';
import { extractHtml } from '../../../lambdas/core/content/extract-html.ts';
import { parseDate } from '../../../lambdas/core/content/published-at.ts';

const dateOf = (html: string, url = 'https://example.com/'): string | undefined => extractHtml(html, url).publishedAt;

describe('parseDate', () => {
  it.each([
    ['2024-05-06', '2024-05-06'],
    ['2024/5/6', '2024-05-06'],
    ['2024-05-06T07:08:09.123Z', '2024-05-06T07:08:09Z'],
    ['2024-05-06 07:08 +0530', '2024-05-06T07:08:00+05:30'],
    ['2024-05-06T07:08:09', '2024-05-06'],
    ['Mon, 06 May 2024 07:08:09 GMT', '2024-05-06'],
    ['May 6th, 2024', '2024-05-06'],
    ['Published on 6 May 2024', '2024-05-06'],
    ['Sept. 1, 2021', '2021-09-01'],
    ['2024-02-30', undefined],
    ['May 2024', undefined],
    ['1066-10-14', undefined],
    ['6 Mills 2024', undefined],
    ['', undefined],
  ])('reads "%s" as %s', (text, date) => {
    expect(parseDate(text)).toBe(date);
  });
});

describe('the publication date of a page', () => {
  it('comes from embedded data before a marked time, before a byline, before the address', () => {
    const data =
      '<script type="application/ld+json">{"@graph":[{"@type":"Article","datePublished":"2024-01-01"}]}</script>';
    const marked = '<time class="entry-date" datetime="2024-01-02">x</time>';
    const byline = '<h1>Mills</h1><p>By Ann, January 3, 2024</p>';
    const address = 'https://example.com/2024/01/04/mills';
    expect(dateOf(marked + byline + data, address)).toBe('2024-01-01');
    expect(dateOf(byline + marked, address)).toBe('2024-01-02');
    expect(dateOf(byline, address)).toBe('2024-01-03');
    expect(dateOf('<p>x</p>', address)).toBe('2024-01-04');
  });

  it('is none where only a change is dated', () => {
    expect(dateOf('<h1>Mills</h1><p>Last updated May 6, 2024</p>')).toBeUndefined();
  });

  it('is none for embedded data that is no JSON, is too deep, or is of someone else', () => {
    const script = (json: string) => `<script type="application/ld+json">${json}</script>`;
    expect(dateOf(script('{"datePublished":'))).toBeUndefined();
    expect(dateOf(script(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBeUndefined();
    expect(dateOf(script('{"video":{"datePublished":"2024-01-01"}}'))).toBeUndefined();
  });
});
