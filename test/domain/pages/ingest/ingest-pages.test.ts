import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, DamagedStoreError, StoreFullError, UnavailableError } from '../../../../lambdas/domain/errors.ts';
import { ingestPages } from '../../../../lambdas/domain/pages/ingest/ingest-pages.ts';
import type { IndexEntry } from '../../../../lambdas/domain/ports/page-index.ts';
import { stateKey } from '../../../../lambdas/domain/sites/site.ts';
import { siteStatus } from '../../../../lambdas/domain/sites/site-status.ts';
import { eventually } from '../../../support/eventually.ts';
import { IngestSite, textPage } from '../../../support/ingest-site.ts';
import { pageIndex, pageStore, table } from '../../../support/memory/stores.ts';

describe('ingesting pages', () => {
  let site: IngestSite;
  let now = 1_750_000_000_000;

  beforeEach(async () => {
    site = await IngestSite.open(() => now);
  });

  it('an ingestion registers, counts and indexes pages, and makes the site ready', async () => {
    expect(siteStatus((await site.record()).state)).toBe('pending');
    const page = textPage('/a', 'An anchor holds a ship.', {
      key: 'anchor-1',
      metadata: { weight: 12 },
      language: 'en-GB',
    });
    expect(await site.ingest([page, textPage('b', 'A bell rings.')])).toEqual({
      success: true,
      processed: 2,
      skipped: 0,
      failed: 0,
      results: [
        { url: '/a', status: 'success', chunks: 1, isNew: true, processingTimeMs: 0 },
        { url: 'b', status: 'success', chunks: 1, isNew: true, processingTimeMs: 0 },
      ],
    });
    const rows = await site.settled();
    expect(rows).toMatchObject([
      {
        url: 'https://www.example/a',
        source: 'ingest',
        key: 'anchor-1',
        title: 'About /a',
        tags: ['test'],
        summary: 'All of it.',
      },
      {
        url: 'https://www.example/docs/b',
        source: 'ingest',
        crawledAt: '2025-06-15T15:06:40.000Z',
        indexedAt: 1_750_000_000,
      },
    ]);
    const { state } = await site.record();
    expect(siteStatus(state)).toBe('ready');
    expect(state.languages).toContain('en');
  });

  it('skips unchanged pages without asking embedder or index', async () => {
    const page = textPage('/a', 'An anchor holds a ship.', { metadata: { weight: 12 } });
    await site.ingest([page]);
    const unused = () => Promise.reject(new Error('was asked'));
    const none = {
      embedder: { ...site.deps().embedder, embedTexts: unused },
      pageIndex: { ...pageIndex, put: unused },
    };
    expect(await site.ingest([page], none)).toMatchObject({
      success: true,
      processed: 0,
      skipped: 1,
      failed: 0,
      results: [{ status: 'skipped', chunks: 1, isNew: false, processingTimeMs: 0 }],
    });
    const elsewhere = { ...page, url: 'https://www.example:443/a' };
    expect(await site.ingest([elsewhere], none)).toMatchObject({ skipped: 1 });
    await site.settled();
  });

  it.each([
    ['content', { content: 'Another text.' }],
    ['title', { title: 'Another' }],
    ['tags', { tags: ['other'] }],
    ['metadata', { metadata: { weight: 13 } }],
    ['key', { key: 'other' }],
    ['language', { language: 'de' }],
    ['spelling of the address', { url: '/a?utm_source=mail' }],
  ])('writes a page again when its %s has changed, and removes the old text', async (_, change) => {
    const page = textPage('/a', 'An anchor holds a ship.', { title: 'Anchor' });
    await site.ingest([page]);
    const [before] = await site.rows();
    expect(await site.one({ ...page, ...change })).toMatchObject({ status: 'success', isNew: false });
    const [after, ...others] = await site.settled();
    expect(others).toEqual([]);
    expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
    const { generation } = (await site.record()).state;
    const address = {
      siteId: site.siteId,
      generation,
      urlHash: before?.urlHash ?? '',
      revision: before?.revision ?? 0,
    };
    expect(await pageStore.get([address])).toEqual([undefined]);
  });

  it('treats URLs with the same normal form as one page, and keeps the last of a request', async () => {
    const { results } = await site.ingest([
      textPage('https://www.example:443/x?utm_source=a#top', 'The first.'),
      textPage('/x', 'The second.'),
      textPage('../x', 'The third.'),
    ]);
    expect(results).toMatchObject([
      { status: 'success', isNew: true },
      { status: 'success', isNew: false },
      { status: 'success', isNew: false },
    ]);
    const [row, ...others] = await site.settled();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ url: 'https://www.example/x', title: 'About ../x' });
  });

  it('shows the normalised URL of a page when the absolute URL is too long', async () => {
    await site.ingest([textPage(`/x#${'\u754c'.repeat(700)}`, 'Far along.'), textPage('/y#top', 'Near.')]);
    expect((await site.settled()).map(({ url, givenUrl }) => [url, givenUrl])).toEqual([
      ['https://www.example/x', undefined],
      ['https://www.example/y', 'https://www.example/y#top'],
    ]);
  });

  it('reports each invalid page in a result of its own, in the order of the request', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const { results, ...totals } = await site.ingest([
      textPage('/good', 'A good page.'),
      ...[null, 5, [], 'page', { content: 'x' }, { url: '/u' }, { url: 3, content: 'x' }],
      ...[textPage('ftp://x/y', 'x'), textPage('http://u:p@x/y', 'x'), textPage('http://[', 'x')],
      ...[textPage('/empty', ' \n '), { url: '/shell', content: '<html><script>1</script></html>' }],
      ...[
        textPage('/deep', 'x', { metadata: { deep } }),
        textPage('/big', 'x', { metadata: { big: 'x'.repeat(33_000) } }),
      ],
      ...[textPage('/many', 'x', { metadata: { many: Array(501).fill(1) } }), textPage('/long', 'é'.repeat(600_000))],
      ...[textPage('/language', 'x', { language: 'english' }), textPage('/date', 'x', { publishedAt: '2024-02-30' })],
      textPage('/good-too', 'Another good page.'),
    ]);
    expect(totals).toEqual({ success: false, processed: 2, skipped: 0, failed: 18 });
    expect(results.map(({ status }) => status)).toEqual(['success', ...Array(18).fill('error'), 'success']);
    for (const { error } of results.slice(1, -1)) expect(error).toMatch(/^(?:Invalid page: |There is no text)/);
    expect(results[1]).toEqual({ url: '', status: 'error', error: expect.any(String) });
    expect(results.at(-3)).toMatchObject({ url: '/language', error: expect.stringContaining('language') });
    await site.settled();
  });

  it('says in plain words what is wrong with a page', async () => {
    const { results } = await site.ingest([
      5,
      { url: '/u' },
      { url: '/u', content: '' },
      textPage('/t', 'x', { tags: 'a' }),
    ]);
    expect(results.map(({ error }) => error)).toEqual([
      'Invalid page: must be an object',
      'Invalid page: content is required',
      'Invalid page: content must have at least 1 character',
      'Invalid page: tags must be a list',
    ]);
    await site.settled();
  });

  it('fails only the page that makes a batch fail', async () => {
    const reports: unknown[] = [];
    const put = async (entries: readonly IndexEntry[]) => {
      if (entries.some(({ url }) => url.endsWith('/3'))) throw new TypeError('unbearable');
      await pageIndex.put(entries, { visible: 'now' });
    };
    const pages = [1, 2, 3, 4, 5].map((n) => textPage(`/${n}`, `Page number ${n}.`));
    const over = { pageIndex: { ...pageIndex, put }, report: (_: string, error: unknown) => void reports.push(error) };
    const { results } = await site.ingest(pages, over);
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'error', 'success', 'success']);
    expect(results[2]?.error).toBe('Something went wrong on our side with this page');
    expect(reports).toEqual([expect.any(TypeError), expect.any(TypeError)]);
    await site.ingest(pages);
    expect(await site.settled()).toHaveLength(5);
  });

  it('reports pages that are not finished in time, and drops none', async () => {
    let hanging = 0;
    const put = () => {
      hanging++;
      return new Promise<void>(() => undefined);
    };
    const over = {
      // Shortens only the longest sleep, which ends the request.
      sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms > 10_000 ? 20 : ms)),
      pageIndex: { ...pageIndex, put },
    };
    const pages = Array.from({ length: 60 }, (_, n) => textPage(`/${n}`, `Page number ${n}.`));
    const { results, failed } = await site.ingest([{}, ...pages], over);
    expect(failed).toBe(61);
    expect(new Set(results.slice(1).map(({ error }) => error))).toEqual(
      new Set(['Not finished in time: send it again, in a smaller batch']),
    );
    await eventually(async () => hanging === 4); // else a late batch of the first request overtakes the second
    await site.ingest(pages);
    expect(await site.settled()).toHaveLength(60);
  });

  it('refuses a request that waited too long before it began', async () => {
    const options = { plan: 'pro', receivedAt: site.clock() - 15_000 } as const;
    const late = ingestPages(await site.record(), [textPage('/late', 'Too late.')], options, site.deps());
    await expect(late).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(await site.settled()).toEqual([]);
  });

  it('starts no page after the deadline', async () => {
    const slow = {
      ...pageIndex,
      put: async (...args: Parameters<typeof pageIndex.put>) => {
        now += 25_000;
        await pageIndex.put(...args);
      },
    };
    const pages = Array.from({ length: 60 }, (_, n) => textPage(`/${n}`, `Page number ${n}.`));
    const { processed, failed } = await site.ingest(pages, { pageIndex: slow });
    expect([processed, failed]).toEqual([40, 20]);
    expect(await site.settled()).toHaveLength(40);
  });

  it('is unavailable when no page could be written, and otherwise says which could not', async () => {
    const put = async (...[entries, options]: Parameters<typeof pageIndex.put>) => {
      if (entries.some(({ url }) => !url.endsWith('/11'))) throw new UnavailableError('away');
      await pageIndex.put(entries, options);
    };
    const pages = Array.from({ length: 11 }, (_, n) => textPage(`/${n + 1}`, `Page number ${n}.`));
    const over = { pageIndex: { ...pageIndex, put } };
    await expect(site.ingest(pages.slice(0, 10), over)).rejects.toThrow(UnavailableError);
    const { processed, results } = await site.ingest(pages, over);
    expect(processed).toBe(1);
    expect(results[0]).toMatchObject({ status: 'error', error: 'It could not be stored right now: send it again' });
    await site.ingest(pages);
    expect(await site.settled()).toHaveLength(11);
  });

  it.each([new StoreFullError('no room'), new DamagedStoreError('damaged: restore a backup')])(
    'fails with the reason of the store when no page could be written: %s',
    async (reason) => {
      const put = () => Promise.reject(reason);
      const pages = Array.from({ length: 30 }, (_, n) => textPage(`/${n + 1}`, `Page number ${n}.`));
      await expect(site.ingest(pages, { pageIndex: { ...pageIndex, put } })).rejects.toBe(reason);
    },
  );

  describe('into a site that is nearly full', () => {
    const pages = [1, 2, 3].map((n) => textPage(`/${n}`, `Page number ${n}.`));
    const leave = (room: number) => table.update(stateKey(site.siteId), { set: { pageCount: 500 - room } });

    it('adds new pages while a site has room, and replaces others', async () => {
      await site.ingest([textPage('/old', 'Is there.')]);
      await leave(2);
      const { results } = await site.ingest([...pages, textPage('/old', 'Is still there.')], {}, 'free');
      expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'error', 'success']);
      expect(results[2]?.error).toMatch(/includes 500 pages per site, and this site has 500/);
      expect((await site.record()).state.pageCount).toBe(500);
    });

    it('replaces pages even if the site has more than its plan allows', async () => {
      await site.ingest([textPage('/old', 'Is there.')]);
      await leave(-7);
      expect(await site.ingest([textPage('/old', 'Is still there.')], {}, 'free')).toMatchObject({ processed: 1 });
      expect((await site.record()).state.pageCount).toBe(507);
    });

    it('keeps the room of pages that are tried again because another page made their batch fail', async () => {
      await leave(3);
      const { embedder } = site.deps();
      const embedTexts = async (texts: Parameters<typeof embedder.embedTexts>[0]) => {
        if (texts.some(({ text }) => text.includes('number 3'))) throw new TypeError('unbearable');
        return embedder.embedTexts(texts);
      };
      const { results } = await site.ingest(
        pages,
        { embedder: { ...embedder, embedTexts }, report: () => undefined },
        'free',
      );
      expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'error']);
      expect(results[2]?.error).toBe('Something went wrong on our side with this page');
    });

    it('refuses a request if a site has no room for any of its pages', async () => {
      await leave(0);
      const refusal = await site.ingest(pages, {}, 'free').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ code: 'plan_limit', message: expect.stringContaining('this site has 500') });
      expect(await site.rows()).toEqual([]);
    });

    it('never exceeds the plan, however many requests come at once', async () => {
      await leave(4);
      const requests = Array.from({ length: 5 }, (_, i) =>
        [1, 2, 3].map((n) => textPage(`/${i}/${n}`, `Page ${n} of request ${i}.`)),
      );
      const answers = await Promise.allSettled(requests.map((request) => site.ingest(request, {}, 'free')));
      const processed = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.processed : 0));
      expect(processed.reduce((sum, count) => sum + count)).toBe(4);
      expect((await site.record()).state.pageCount).toBe(500);
      expect(await site.rows()).toHaveLength(4);
    });
  });
});
