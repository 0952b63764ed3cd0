import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { hits, LANTERNS, LanternSite, pathsOf } from '../support/lantern-site.ts';

describe('a search of a site', () => {
  let site: LanternSite;

  beforeAll(async () => {
    site = await LanternSite.open();
  });
  afterAll(() => site.close());

  const scoreOf = async (path: string): Promise<number> =>
    Number(hits(await site.lantern()).find(({ url }) => String(url).endsWith(path))?.score);

  it('returns the best results first, and marks the words of the query in snippets', async () => {
    const answer = await site.get('q=Lanterns');
    expect(answer.body).toMatchObject({ query: 'Lanterns', totalResults: 7 });
    expect(pathsOf(await site.lantern())).toEqual(expect.arrayContaining(LANTERNS));
    expect(pathsOf(answer)[0]).toBe('/news/lantern');
    const scores = hits(answer).map(({ score }) => Number(score));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeGreaterThan(0.7);
    for (const { snippet, highlights } of hits(answer)) {
      const marked = listOf(highlights).map((range) =>
        String(snippet).slice(...(listOf(range).map(Number) as [number])),
      );
      expect(marked.length).toBeGreaterThan(0);
      for (const word of marked) expect(word).toMatch(/^lantern/i);
    }
  });

  it('returns the same by GET and POST', async () => {
    const filters = { tags: ['Odd', 'News'] };
    const got = await site.get(
      `q=lantern&minScore=0.1&offset=1&limit=2&facets=tags&filters=${JSON.stringify(filters)}`,
    );
    const posted = await site.post({ query: 'lantern', minScore: 0.1, offset: 1, limit: 2, facets: ['tags'], filters });
    expect({ ...got.body, timingMs: 0 }).toEqual({ ...posted.body, timingMs: 0 });
    expect(hits(got)).toHaveLength(2);
  });

  it('returns parts of the same list for any offset and limit', async () => {
    const whole = pathsOf(await site.lantern());
    for (let offset = 0; offset < whole.length; offset += 3) {
      const part = await site.lantern({ offset, limit: 3 });
      expect(pathsOf(part)).toEqual(whole.slice(offset, offset + 3));
      expect(part.body.totalResults).toBe(whole.length);
    }
    expect(await site.lantern({ offset: 1000 })).toMatchObject({
      status: 200,
      body: { results: [], totalResults: whole.length },
    });
  });

  it('omits results below minScore', async () => {
    const scores = hits(await site.lantern()).map(({ score }) => Number(score));
    const least = scores[2] ?? 0;
    const kept = hits(await site.lantern({ minScore: least })).map(({ score }) => Number(score));
    expect(kept).toEqual(scores.filter((score) => score >= least));
    expect(kept.length).toBeLessThan(scores.length);
    expect(await site.post({ query: 'zoogkrult plimp' })).toMatchObject({ body: { results: [], totalResults: 0 } });
  });

  it('names the pages that come closest if none reaches minScore, by GET and POST', async () => {
    const closest = hits(await site.lantern()).slice(0, 3);
    const posted = await site.lantern({ minScore: 1 });
    expect(posted.body).toMatchObject({ results: [], totalResults: 0, closest });
    const got = await site.get('q=lantern&minScore=1');
    expect({ ...got.body, timingMs: 0 }).toEqual({ ...posted.body, timingMs: 0 });
    expect((await site.post({ query: 'zoogkrult plimp' })).body).not.toHaveProperty('closest');
  });

  it('applies boosts by path, URL and tag at once, and multiplies them', async () => {
    const before = await scoreOf('/railway');
    await site.set({ urlBoosts: [{ urlPrefix: '/lamps/railway', boost: 0.5 }] });
    expect(await scoreOf('/railway')).toBeCloseTo(before * 0.5, 6);
    await site.set({
      urlBoosts: [{ urlPrefix: `${site.web.origin}/lamps/`, boost: 0.5 }],
      tagBoosts: [{ tag: 'Odd', boost: 0.5 }],
    });
    expect(await scoreOf('/railway')).toBeCloseTo(before * 0.25, 6);
    expect(await scoreOf('/storm')).toBeLessThan(await scoreOf('/news/lantern'));
    await site.set({ urlBoosts: [{ urlPrefix: '/lamps/storm', boost: 3 }], tagBoosts: [] });
    const boosted = await site.lantern();
    expect(pathsOf(boosted)[0]).toBe('/lamps/storm');
    expect(Number(hits(boosted)[0]?.score)).toBeLessThanOrEqual(1);
    await site.set({
      urlBoosts: [
        { urlPrefix: '/', boost: 0 },
        { urlPrefix: '/lamps', boost: -1 },
      ],
      tagBoosts: [{ tag: 'Odd', boost: 0 }],
    });
    expect(await scoreOf('/railway')).toBeCloseTo(before, 6);
    await site.set({ urlBoosts: [], tagBoosts: [{ tag: 'odd', boost: 0.1 }] });
    expect(await scoreOf('/railway')).toBeCloseTo(before, 6);
    await site.set({ tagBoosts: [] });
  });

  it('compares boosted scores with minScore', async () => {
    const minScore = 0.3;
    await site.set({ urlBoosts: [{ urlPrefix: '/news', boost: 0.1 }] });
    expect(pathsOf(await site.lantern({ minScore }))).not.toContain('/news/lantern');
    await site.set({ urlBoosts: [] });
    expect(pathsOf(await site.lantern({ minScore }))).toContain('/news/lantern');
  });

  it.each([
    ['www.example', 'https://www.example'],
    ['http://www.example:8080', 'http://www.example:8080'],
    ['https://www.example/ignored', 'https://www.example'],
  ])('shows pages under the domain %s, and keeps their stored URLs', async (domain, origin) => {
    await site.set({ domain });
    for (const { url } of hits(await site.lantern())) expect(String(url).startsWith(`${origin}/`)).toBe(true);
    const { body } = await site.owner('GET', `/api/sites/${site.siteId}/pages`);
    for (const { url } of listOf(body.items)) expect(String(url).startsWith(`${site.web.origin}/`)).toBe(true);
    await site.set({ domain: null });
    for (const { url } of hits(await site.lantern())) expect(String(url).startsWith(`${site.web.origin}/`)).toBe(true);
  });

  it.each([
    ['query.q', ''],
    ['query.q', 'q='],
    ['query.q', 'q=%20%09%0A'],
    ['query.q', `q=${'a'.repeat(2049)}`],
    ['query.limit', 'q=a&limit=abc'],
    ['query.limit', 'q=a&limit=101'],
    ['query.limit', 'q=a&limit=0'],
    ['query.minScore', 'q=a&minScore=1.1'],
    ['query.offset', 'q=a&offset=1001'],
    ['query.filters', 'q=a&filters=%7B'],
    ['query.filters', 'q=a&filters=%5B%5D'],
    ['query.facets.0', 'q=a&facets='],
  ])('refuses an invalid %s (%#)', async (issue, query) => {
    const answer = await site.get(query);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(listOf(answer.body.issues).map((each) => each.path)).toEqual([issue]);
  });

  it('reports every fault of a body', async () => {
    const answer = await site.post({ query: ' ', limit: '5', offset: -1, minScore: 2, facets: [], filters: [] });
    expect(listOf(answer.body.issues).map((each) => each.path)).toEqual([
      ...['body.query', 'body.limit', 'body.minScore', 'body.offset', 'body.filters', 'body.facets'],
    ]);
  });

  it.each([
    'a'.repeat(2048),
    'lantern '.repeat(250),
    '"*) OR (NEAR(a b)) AND title:',
    "'; DROP TABLE pages; --",
    '\0\u0001\ud800',
    'e\u0301'.repeat(1000),
    '🏮'.repeat(1000),
    '- " ( ) * : ^',
    'Ａ１٣漢字かなกขค',
  ])('answers a hostile query (%#)', async (query) => {
    for (const answer of [await site.post({ query }), await site.get(`q=${encodeURIComponent(query.toWellFormed())}`)])
      expect(answer.status).toBe(200);
  });
});
