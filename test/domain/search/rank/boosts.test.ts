import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { greatestFactor, pageFactor } from '../../../../lambdas/domain/search/rank/boosts.ts';

const page = { url: 'https://example.com/blog/2024/news?part=2', tags: ['News', 'Sea'] };
const none = { tagBoosts: [], urlBoosts: [] };
const byUrl = (...urlBoosts: readonly { readonly urlPrefix: string; readonly boost: number }[]) => ({
  ...none,
  urlBoosts,
});
const byTag = (...tagBoosts: readonly { readonly tag: string; readonly boost: number }[]) => ({ ...none, tagBoosts });

describe('the boosts of a page', () => {
  it.each([
    ['/', true],
    ['/blog', true],
    ['/blog/2024/news?part', true],
    ['/blog/2024/news?part=2', true],
    ['/blog/2024/news?part=22', false],
    ['/Blog', false],
    ['blog', false],
    ['/2024', false],
    ['//example.com/blog', false],
    ['https://example.com/blog', true],
    ['https://example.com', true],
    ['https://example.co', true],
    ['http://example.com/blog', false],
    ['https://other.example/blog', false],
  ])('by the prefix %s: %j', (urlPrefix, applies) => {
    expect(pageFactor(page, byUrl({ urlPrefix, boost: 2 }))).toBe(applies ? 2 : 1);
  });

  it('by tag need exactly that tag', () => {
    const boosts = byTag({ tag: 'News', boost: 2 }, { tag: 'news', boost: 3 }, { tag: 'New', boost: 4 });
    expect(pageFactor(page, boosts)).toBe(2);
  });

  it('are all that match, except those of zero or less', () => {
    const urlBoosts = [2, 0, -1, 0.5].map((boost) => ({ urlPrefix: '/', boost }));
    const tagBoosts = [3, 0, -2].map((boost) => ({ tag: 'Sea', boost }));
    expect(pageFactor(page, { tagBoosts, urlBoosts })).toBe(3);
  });

  it('match an invalid URL only by the whole URL', () => {
    expect(pageFactor({ url: 'no address', tags: [] }, byUrl({ urlPrefix: '/', boost: 2 }))).toBe(1);
    expect(pageFactor({ url: 'no address', tags: [] }, byUrl({ urlPrefix: 'no', boost: 2 }))).toBe(2);
  });
});

describe('the factor of a page', () => {
  it('is the product of the boosts, within 0.01 and 100', () => {
    const tagged = (...boosts: readonly number[]) =>
      pageFactor(page, byTag(...boosts.map((boost) => ({ tag: 'Sea', boost }))));
    expect(tagged()).toBe(1);
    expect(tagged(2, 1.5)).toBe(3);
    expect(tagged(50, 50)).toBe(100);
    expect(tagged(0.01, 0.01)).toBe(0.01);
  });

  it('ignores boosts that are zero, negative or not a number', () => {
    const boosts = [0, -3, Number.NaN, Number.POSITIVE_INFINITY, 2].map((boost) => ({ tag: 'Sea', boost }));
    expect(pageFactor(page, byTag(...boosts))).toBe(2);
  });

  it('is never above the greatest factor', () => {
    const boosts = fc.array(fc.record({ tag: fc.constantFrom('Sea', 'News', 'x'), boost: fc.double({ noNaN: true }) }));
    fc.assert(
      fc.property(boosts, (tagBoosts) => {
        expect(pageFactor(page, byTag(...tagBoosts))).toBeLessThanOrEqual(greatestFactor(byTag(...tagBoosts)));
      }),
    );
  });

  it.each([
    'https://example.com/posts/page/22',
    'https://example.com/posts/page/2/',
    'https://example.com/?page=3',
    'https://example.com/blog?x=1&paged=3',
  ])('is less for a list of pages: %s', (url) => {
    expect(pageFactor({ url, tags: [] }, none)).toBeLessThan(1);
  });

  it.each(['https://example.com/page/about', 'https://example.com/pages', 'https://example.com/homepage/2024'])(
    'is 1 for %s',
    (url) => {
      expect(pageFactor({ url, tags: [] }, none)).toBe(1);
    },
  );
});
