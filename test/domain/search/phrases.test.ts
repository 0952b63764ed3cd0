import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { SearchRequest } from '../../../lambdas/domain/search/search-request.ts';
import { searchSite } from '../../../lambdas/domain/search/search-site.ts';
import type { SiteRecord } from '../../../lambdas/domain/sites/site.ts';
import {
  NEW_CRAWLER_CONFIG,
  NEW_PUBLIC_ACCESS,
  NEW_REMOVAL_POLICY,
} from '../../../lambdas/domain/sites/site-settings.ts';
import { indexEntry, newScope } from '../../support/index-entries.ts';
import { pageIndex } from '../../support/memory/stores.ts';

const scope = newScope();
const filler = 'Nothing of this is of any use to anybody who reads it, but it makes the passage longer. '.repeat(3);
const site: SiteRecord = {
  settings: {
    siteId: scope.siteId,
    orgId: 'o',
    version: 1,
    name: 'River',
    baseUrl: 'https://docs.example/',
    createdAt: 0,
    publicAccess: NEW_PUBLIC_ACCESS,
    rateLimits: {},
    crawlerConfig: NEW_CRAWLER_CONFIG,
    metadataSchema: [],
    tagBoosts: [],
    urlBoosts: [],
    removalPolicy: NEW_REMOVAL_POLICY,
  },
  state: { runningJobId: null, pageCount: 0, revision: 0, generation: scope.generation, languages: ['en', 'ja'] },
};

beforeAll(async () => {
  const pages = [
    ['locks', 'Locks', [`The lock keeper opens the gate. ${filler}`, `Boats wait in the pound. ${filler}`]],
    ['weirs', 'Weirs', ['A weir holds water back for the mill.']],
    ['mills', 'Gates of mills', ['The gate is open. Boats and boats and keepers of locks.']],
    ['ships', '船の案内', ['水門を開ける人が船を待つ。水車の説明。']],
  ] as const;
  await pageIndex.put(
    pages.map(([name, title, texts]) => indexEntry(scope, { url: `https://docs.example/${name}`, title, texts })),
    { visible: 'now' },
  );
});

async function found(query: string, request: Partial<SearchRequest> = {}) {
  const deps = { index: pageIndex, embedder: { embedQuery: async () => undefined } as unknown as Embedder };
  const asked = { query, limit: 10, offset: 0, minScore: 0.3, ...request };
  const { response } = await searchSite(site, asked, { ...deps, clock: () => 0 });
  return { ...response, names: response.results.map(({ url }) => url.slice('https://docs.example/'.length)) };
}

describe('phrases that no page has', () => {
  it('are searched as if they had no quotes, with corrections', async () => {
    const quoted = await found('"watre back"');
    expect(quoted).toMatchObject({ phraseDropped: true, corrections: [{ from: 'watre', to: 'water' }] });
    expect(quoted.results).toEqual((await found('watre back')).results);
    expect(quoted.names).toEqual(['weirs']);
  });

  it('are searched as the beginning of a word, as without quotes', async () => {
    expect(await found('"water bac"')).toMatchObject({ phraseDropped: true, names: ['weirs'] });
  });
});

describe('phrases that only passages far apart have', () => {
  const query = '"keeper opens the" "wait in the pound" zebra';

  it('find their page with a score of 0.3, and no page without them', async () => {
    const { results, names, phraseDropped } = await found(query);
    expect([names, results[0]?.score, phraseDropped]).toEqual([['locks'], 0.3, undefined]);
  });

  it('find nothing if a higher score is asked for', async () => {
    expect(await found(query, { minScore: 0.5 })).toMatchObject({ names: [] });
    expect(await found(query, { minScore: 0.5 })).not.toHaveProperty('phraseDropped');
  });
});

describe('a phrase beside words of Japanese', () => {
  it('is required beside eight words, however many characters they have', async () => {
    expect((await found('水車の説明と船の案内 "水門を開ける"')).names).toEqual(['ships']);
    expect((await found('水車の説明と船の案内 "水門を閉める"')).phraseDropped).toBe(true);
  });
});
