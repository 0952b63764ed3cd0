import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RegisteredPage } from '../../../../lambdas/domain/pages/page-registry.ts';
import type { PageDeps } from '../../../../lambdas/domain/pages/page-writer.ts';
import { deletePages, type PagesToDelete } from '../../../../lambdas/domain/pages/removal/delete-pages.ts';
import { purgeSite } from '../../../../lambdas/domain/pages/removal/purge-site.ts';
import { stateKey } from '../../../../lambdas/domain/sites/site.ts';
import { siteStatus } from '../../../../lambdas/domain/sites/site-status.ts';
import { IngestSite, textPage } from '../../../support/ingest-site.ts';
import { pageIndex, pageStore, queue, table } from '../../../support/memory/stores.ts';

const ORIGIN = 'https://www.example';
const PAGES = [
  textPage('/anchor', 'The anchor of the ship.', { key: 'iron' }),
  textPage('/bell', 'The bell of the ship.', { key: 'brass' }),
  textPage('/compass?utm_source=mail', 'The compass of the ship.', { key: 'brass' }),
  textPage('/deck/lower', 'The lower deck of the ship.'),
  textPage('/deck/upper', 'The upper deck of the ship.'),
];
const paths = (rows: readonly RegisteredPage[]): readonly string[] => rows.map(({ url }) => url.slice(ORIGIN.length));

describe('deleting pages', () => {
  let site: IngestSite;
  const deps: PageDeps = { table, pageStore, pageIndex, clock: Date.now };

  beforeEach(async () => {
    site = await IngestSite.open();
    await site.ingest(PAGES);
  });

  const remove = (request: Omit<PagesToDelete, 'siteId'>, over: Partial<PageDeps> = {}) =>
    deletePages({ siteId: site.siteId, ...request }, site, { ...deps, ...over });
  const left = async (): Promise<readonly string[]> => paths(await site.settled());

  it.each<[string, Omit<PagesToDelete, 'siteId'>, readonly string[]]>([
    ['URL', { urls: [`${ORIGIN}/bell`] }, ['/bell']],
    ['URL in another spelling', { urls: ['HTTPS://WWW.Example:443/bell#top'] }, ['/bell']],
    ['URL as it was given', { urls: [`${ORIGIN}/compass?utm_source=mail`] }, ['/compass']],
    ['normalised URL', { urls: [`${ORIGIN}/compass`] }, ['/compass']],
    ['URL relative to the base URL', { urls: ['/bell'] }, ['/bell']],
    ['URL in another case', { urls: [`${ORIGIN}/Bell`] }, []],
    ['URL of another host', { urls: ['https://other.example/bell'] }, []],
    ['text that is no URL', { urls: ['javascript:1', 'http://['] }, []],
    ['pattern of the whole URL', { patterns: [`${ORIGIN}/deck/*`] }, ['/deck/lower', '/deck/upper']],
    ['pattern of the path', { patterns: ['/b*', '/a*r'] }, ['/anchor', '/bell']],
    ['regular expression', { patterns: ['regex:/(anchor|bell)$'] }, ['/anchor', '/bell']],
    ['pattern of the URL as it was given', { patterns: ['*utm_source*'] }, ['/compass']],
    ['key', { keys: ['iron'] }, ['/anchor']],
    ['key of two pages', { keys: ['brass', 'brass', 'gold'] }, ['/bell', '/compass']],
    [
      'URL, pattern and key together',
      { urls: [`${ORIGIN}/anchor`, `${ORIGIN}/anchor`], patterns: ['*/anchor', '/deck/l*'], keys: ['iron'] },
      ['/anchor', '/deck/lower'],
    ],
  ])('by %s removes exactly these pages, once', async (_, request, deleted) => {
    const before = await left();
    const { length } = deleted;
    const requestedUrls = request.urls?.length ?? 0;
    const message = `Deleted ${length} ${length === 1 ? 'page' : 'pages'}.`;
    const { siteId } = site;
    expect(await remove(request)).toEqual({
      siteId,
      requestedUrls,
      deletedPages: length,
      deletedChunks: length,
      complete: true,
      message,
    });
    expect(await left()).toEqual(before.filter((path) => !deleted.includes(path)));
    expect(await remove(request)).toMatchObject({ deletedPages: 0, deletedChunks: 0, complete: true });
  });

  it('lets the pages be ingested again, also under another key', async () => {
    await remove({ keys: ['brass'] });
    expect(await site.one(textPage('/bell', 'The bell of the ship.', { key: 'tin' }))).toMatchObject({
      status: 'success',
      isNew: true,
    });
    expect(await remove({ keys: ['brass'] })).toMatchObject({ deletedPages: 0 });
    expect(await remove({ keys: ['tin'] })).toMatchObject({ deletedPages: 1 });
  });

  it('finds a page by its present key alone', async () => {
    await site.one(textPage('/anchor', 'Another anchor.', { key: 'steel' }));
    await site.one(textPage('/bell', 'Another bell.'));
    expect(await remove({ keys: ['iron'] })).toMatchObject({ deletedPages: 0 });
    expect(await remove({ keys: ['brass'] })).toMatchObject({ deletedPages: 1 });
    expect(await remove({ keys: ['steel'] })).toMatchObject({ deletedPages: 1 });
    expect(await left()).toEqual(['/bell', '/deck/lower', '/deck/upper']);
  });

  it('leaves a site without pages pending', async () => {
    expect(siteStatus((await site.record()).state)).toBe('ready');
    expect(await remove({ patterns: [`${ORIGIN}/*`] })).toMatchObject({ deletedPages: PAGES.length });
    expect(siteStatus((await site.record()).state)).toBe('pending');
    const items = (await table.query(`SITE#${site.siteId}`, { prefix: 'G#', limit: 1000 })).items;
    expect(items.filter(({ sk }) => !sk.includes('REMOVED#'))).toEqual([]);
  });

  it.each([
    ['failed', { status: 'failed', error: 'It failed.', errorCode: 'dns' }],
    ['completed without a page', { status: 'completed' }],
  ])('leaves an emptied site pending, even if its last crawl %s', async (_, end) => {
    await table.update(stateKey(site.siteId), { set: { lastCrawl: { jobId: 'job', ...end } } });
    await remove({ urls: ['/anchor'] });
    expect(await site.record()).toMatchObject({ state: { lastCrawl: end } });
    await remove({ patterns: ['/*e*', '/*o*'] });
    expect(await left()).toEqual([]);
    expect(siteStatus((await site.record()).state)).toBe('pending');
  });

  it.each([['*'], ['/*'], ['*/*'], ['regex:.*'], ['regex:(a|b)*'], ['http*'], ['*.*'], ['regex:http'], ['*example*']])(
    'refuses the pattern %s, which matches every page, and deletes nothing',
    async (pattern) => {
      const request = { urls: [`${ORIGIN}/bell`], patterns: ['/deck/*', pattern] };
      await expect(remove(request)).rejects.toMatchObject({ code: 'pattern_too_broad' });
      expect(await left()).toHaveLength(PAGES.length);
    },
  );

  it('refuses an invalid pattern, and names it', async () => {
    await expect(remove({ patterns: ['/deck/*', 'regex:('] })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'body.patterns.1' }],
    });
    expect(await left()).toHaveLength(PAGES.length);
  });

  it("refuses another organisation's site", async () => {
    const { siteId } = site;
    const other = { orgId: '01890000-0000-7000-8000-000000000000' };
    await expect(deletePages({ siteId, keys: ['iron'] }, other, deps)).rejects.toMatchObject({ code: 'not_found' });
    expect(await left()).toHaveLength(PAGES.length);
  });

  it('counts each page once among concurrent requests', async () => {
    const all = { patterns: [`${ORIGIN}/*`] };
    const answers = await Promise.all([remove(all), remove(all), remove({ keys: ['brass'] })]);
    expect(answers.reduce((sum, { deletedPages }) => sum + deletedPages, 0)).toBe(PAGES.length);
    await remove(all);
    expect(await left()).toEqual([]);
  });

  it('registry, texts and index agree after a delete during an ingestion', async () => {
    for (let round = 0; round < 5; round++) {
      const again = PAGES.map((page, i) => ({ ...page, content: `Round ${round} of page ${i}.` }));
      const [ingested] = await Promise.all([
        site.ingest(again),
        remove({ patterns: ['/deck/*'], keys: ['brass', 'iron'] }),
        remove({ urls: [`${ORIGIN}/bell`] }),
      ]);
      expect(ingested.failed).toBe(0);
      await site.settled();
    }
    await site.ingest(PAGES);
    expect(await left()).toHaveLength(PAGES.length);
  });

  it('deletes a page that is written between reading its row and removing it', async () => {
    let writes = 0;
    const overtaking: typeof table = {
      ...table,
      async write(changes) {
        if (writes++ === 0) await site.one(textPage('/bell', 'Another bell.', { key: 'brass' }));
        return table.write(changes);
      },
    };
    expect(await remove({ keys: ['brass'] }, { table: overtaking })).toMatchObject({ deletedPages: 2, complete: true });
    expect(await left()).toEqual(['/anchor', '/deck/lower', '/deck/upper']);
  });

  it('a delete ends when the site is purged, and each page is counted once', async () => {
    let purged = 0;
    let writes = 0;
    const purging: typeof table = {
      ...table,
      async write(changes) {
        if (++writes === 3) purged = await purgeSite(site.siteId, site, { table, queue, clock: Date.now });
        return table.write(changes);
      },
    };
    const request = { urls: [`${ORIGIN}/anchor`], patterns: ['/deck/*'], keys: ['brass'] };
    expect(await remove(request, { table: purging })).toMatchObject({ deletedPages: 1, complete: true });
    expect(purged).toBe(PAGES.length - 1);
    expect(await left()).toEqual([]);
  });

  it('is incomplete when other writers overtake it every time', async () => {
    let n = 0;
    const restless: typeof table = {
      ...table,
      async write(changes) {
        await site.one(textPage('/bell', `Bell ${n++}.`));
        return table.write(changes);
      },
    };
    const answer = await remove({ urls: [`${ORIGIN}/bell`] }, { table: restless });
    expect(answer).toMatchObject({ deletedPages: 0, complete: false, message: expect.stringContaining('Repeat') });
    expect(await left()).toHaveLength(PAGES.length);
  });

  it('a delete continues where it failed when the index was unavailable', async () => {
    const broken = { ...pageIndex, remove: () => Promise.reject(new Error('it fails')) };
    await expect(remove({ patterns: ['/deck/*'] }, { pageIndex: broken })).rejects.toThrow('it fails');
    expect(await remove({ patterns: ['/deck/*'] })).toMatchObject({ deletedPages: 2, deletedChunks: 2 });
    expect(await left()).toEqual(['/anchor', '/bell', '/compass']);
  });

  it('a delete makes all removals visible at the end', async () => {
    const calls: string[] = [];
    const watched: typeof pageIndex = {
      ...pageIndex,
      remove: (pages, { visible }) => {
        calls.push(`remove ${visible}`);
        return pageIndex.remove(pages, { visible });
      },
      refresh: async () => void calls.push('refresh'),
    };
    await remove({ urls: [`${ORIGIN}/anchor`], patterns: ['/b*'] }, { pageIndex: watched });
    expect(calls).toEqual(['remove soon', 'remove soon', 'refresh']);
  });
});

describe('deleting 3,000 pages by pattern', () => {
  const COUNT = 3000;
  let site: IngestSite;

  beforeAll(async () => {
    site = await IngestSite.open();
    for (let start = 0; start < COUNT; start += 100)
      await site.ingest(
        Array.from({ length: 100 }, (_, i) => textPage(`/n/${start + i}`, `Number ${start + i}.`, { key: 'numbers' })),
      );
  }, 120_000);

  it('checks the time while no page matches', async () => {
    let now = Date.now();
    let queries = 0;
    const slow: typeof table = {
      ...table,
      query: (pk, range) => {
        now += 13_000;
        queries++;
        return table.query(pk, range);
      },
    };
    const answer = await deletePages({ siteId: site.siteId, patterns: ['/none/*'] }, site, {
      table: slow,
      pageStore,
      pageIndex,
      clock: () => now,
    });
    expect(answer).toMatchObject({ deletedPages: 0, complete: false });
    expect(queries).toBe(2);
  });

  it('goes on where the same request has stopped, until the last row', async () => {
    let now = Date.now();
    let rows = 0;
    const slow: typeof table = {
      ...table,
      async query(pk, range) {
        const listing = await table.query<never>(pk, { ...range, limit: Math.min(range.limit, 500) });
        now += 9000;
        rows += listing.items.length;
        return listing;
      },
    };
    const request = async (patterns: readonly string[]) => {
      const deps = { table: slow, pageStore, pageIndex, clock: () => now };
      return (await deletePages({ siteId: site.siteId, patterns }, site, deps)).complete;
    };
    const started = [await request(['/none/*', '/n/none/*']), await request(['/n/none/*', '/none/*'])];
    expect([...started, rows]).toEqual([false, false, COUNT]);
    expect(await request(['/other/*'])).toBe(false);
    expect(await request(['/n/none/*', '/none/*'])).toBe(true);
    rows = 0;
    expect([await request(['/none/*', '/n/none/*']), rows]).toEqual([false, 1500]);
    now += 601_000;
    expect([await request(['/none/*', '/n/none/*']), rows]).toEqual([false, 3000]);
  });

  it('stops after 24 s and goes on with the next request until all are deleted', async () => {
    let now = Date.now();
    const clock = () => now;
    const slow: typeof pageIndex = {
      ...pageIndex,
      async remove(pages, options) {
        now += 700;
        await pageIndex.remove(pages, options);
      },
    };
    const counts: number[] = [];
    for (let complete = false; !complete; ) {
      const answer = await deletePages({ siteId: site.siteId, patterns: ['/n/*'] }, site, {
        table,
        pageStore,
        pageIndex: slow,
        clock,
      });
      counts.push(answer.deletedPages);
      ({ complete } = answer);
      if (!complete) expect(answer.message).toContain('Repeat the request');
      expect((await site.record()).state.pageCount).toBe(COUNT - counts.reduce((sum, n) => sum + n, 0));
      expect(counts.length).toBeLessThan(5);
    }
    expect(counts.length).toBe(3);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(COUNT);
    expect(await site.settled()).toEqual([]);
  }, 120_000);
});
