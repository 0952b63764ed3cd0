import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boostedGroups, boostsOf } from '../../../lambdas/core/search/boosts.ts';

const page = { url: 'https://example.com/blog/2024/news?page=2', tags: ['News', 'Sea'] };
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
    ['/blog/2024/news?page', true],
    ['/blog/2024/news?page=2', true],
    ['/blog/2024/news?page=22', false],
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
    expect(boostsOf(page, byUrl({ urlPrefix, boost: 2 }))).toEqual(applies ? [2] : []);
  });

  it('by tag need exactly that tag', () => {
    const boosts = byTag({ tag: 'News', boost: 2 }, { tag: 'news', boost: 3 }, { tag: 'New', boost: 4 });
    expect(boostsOf(page, boosts)).toEqual([2]);
  });

  it('are all that match, except those of zero or less', () => {
    const urlBoosts = [2, 0, -1, 0.5].map((boost) => ({ urlPrefix: '/', boost }));
    const tagBoosts = [3, 0, -2].map((boost) => ({ tag: 'Sea', boost }));
    expect(boostsOf(page, { tagBoosts, urlBoosts })).toEqual([3, 2, 0.5]);
  });

  it('match an invalid URL only by the whole URL', () => {
    expect(boostsOf({ url: 'no address', tags: [] }, byUrl({ urlPrefix: '/', boost: 2 }))).toEqual([]);
    expect(boostsOf({ url: 'no address', tags: [] }, byUrl({ urlPrefix: 'no', boost: 2 }))).toEqual([2]);
  });
});

describe('the groups with candidates of their own', () => {
  it('are the boosted pages and the pages that are not demoted', () => {
    const settings = {
      tagBoosts: [
        { tag: 'up', boost: 2 },
        { tag: 'down', boost: 0.5 },
        { tag: 'same', boost: 1 },
        { tag: 'off', boost: 0 },
      ],
      urlBoosts: [
        { urlPrefix: '/up', boost: 1.1 },
        { urlPrefix: 'https://example.com/down', boost: 0.9 },
      ],
    };
    expect(boostedGroups(settings)).toEqual([
      { inside: true, tags: ['up'], pathPrefixes: ['/up'], urlPrefixes: [] },
      { inside: false, tags: ['down'], pathPrefixes: [], urlPrefixes: ['https://example.com/down'] },
    ]);
  });

  it('are empty if no boost changes a score', () => {
    const idle = fc.constantFrom(1, 0, -1, -0.5);
    fc.assert(
      fc.property(fc.array(idle), fc.array(idle), (tags, urls) => {
        const tagBoosts = tags.map((boost) => ({ tag: 'a', boost }));
        expect(boostedGroups({ tagBoosts, urlBoosts: urls.map((boost) => ({ urlPrefix: '/', boost })) })).toEqual([]);
      }),
    );
  });
});
