import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, UnavailableError } from '../../../lambdas/domain/errors.ts';
import { type EmbedLater, embedPages } from '../../../lambdas/domain/pages/embed-later.ts';
import type { IngestDeps } from '../../../lambdas/domain/pages/ingest/ingest-pages.ts';
import { pageKey } from '../../../lambdas/domain/pages/page-registry.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { QueueMessage } from '../../../lambdas/domain/ports/queue.ts';
import { stateKey } from '../../../lambdas/domain/sites/site.ts';
import { queues } from '../../../lambdas/messages.ts';
import { IngestSite, textPage } from '../../support/ingest-site.ts';
import { pageIndex, queue, table } from '../../support/memory/stores.ts';

const vector = new Float32Array(8).fill(Math.sqrt(1 / 8));

describe('pages that are ingested while the embedder is unavailable', () => {
  let site: IngestSite;
  let mood: 'well' | 'unavailable' | 'refusing' | 'silent';
  let asked: number;
  let sent: (EmbedLater & { readonly delaySeconds: number })[];
  let reports: string[];
  const page = textPage('/anchor', 'An anchor holds a ship.', { title: 'Anchor', metadata: { weight: 12 } });

  beforeEach(async () => {
    site = await IngestSite.open();
    [mood, asked, sent, reports] = ['unavailable', 0, [], []];
  });

  const embedder: Embedder = {
    space: 'test',
    dimensions: vector.length,
    embedTexts: async (texts) => {
      asked++;
      if (mood === 'unavailable') throw new UnavailableError('unavailable');
      if (mood === 'refusing') throw new AppError('upstream_unavailable', 'the key is not known');
      if (mood === 'silent') await new Promise(() => undefined);
      return texts.map(() => ({ vector, block: 'model' }));
    },
    embedQuery: async () => vector,
  };
  const send = async (name: string, message: QueueMessage) => {
    expect(name).toBe('embed-pages');
    const body = queues['embed-pages'].message.parse(JSON.parse(message.body));
    sent.push({ ...body, delaySeconds: 'delaySeconds' in message ? (message.delaySeconds ?? 0) : Number.NaN });
  };
  const deps = (): IngestDeps =>
    site.deps({ embedder, queue: { ...queue, send }, report: (message) => void reports.push(message) });
  const later = (): Promise<void> => embedPages(sent.at(-1) as EmbedLater, deps());
  const foundByVector = async (): Promise<readonly string[]> => {
    const { siteId } = site;
    const { generation } = (await site.record()).state;
    const none = { terms: [], requiredPhrases: [], excludedPhrases: [] };
    const { pages } = await pageIndex.candidates({ scopes: [{ siteId, generation }], ...none, vector, limit: 10 });
    return pages.map(({ url }) => new URL(url).pathname);
  };

  it.each(['unavailable', 'refusing'] as const)(
    'are found by words at once, and get their vectors later: %s',
    async (how) => {
      mood = how;
      expect(await site.ingest([page], deps())).toMatchObject({ success: true, processed: 1 });
      expect(await site.settled()).toMatchObject([{ unembedded: true }]);
      expect(await foundByVector()).toEqual([]);
      expect(reports).toHaveLength(1);
      expect(sent).toMatchObject([
        { siteId: site.siteId, urls: ['https://www.example/anchor'], attempt: 0, delaySeconds: 10 },
      ]);
      mood = 'well';
      await later();
      const [row] = await site.settled();
      expect(row).toMatchObject({ title: 'Anchor', source: 'ingest', chunks: 1 });
      expect(row).not.toHaveProperty('unembedded');
      expect(await foundByVector()).toEqual(['/anchor']);
      expect(await site.ingest([page], deps())).toMatchObject({ skipped: 1 });
    },
  );

  it('pages without vectors keep their metadata', async () => {
    await site.ingest([page], deps());
    mood = 'well';
    await later();
    const { siteId } = site;
    const { generation } = (await site.record()).state;
    const query = { scopes: [{ siteId, generation }] as const, limit: 5 };
    const fields = [{ name: 'weight', field: 'facts', prefix: 's:weight=' }] as const;
    expect(await pageIndex.facets({ ...query, fields })).toMatchObject([{ values: [{ value: '12', count: 1 }] }]);
  });

  it('embeddings are tried again with growing delays, and not forever', async () => {
    await site.ingest([page], deps());
    for (let n = 0; n < 8; n++) await later();
    expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([10, 20, 40, 80, 160, 300, 300, 300, 300]);
    expect(sent.map(({ attempt }) => attempt)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const count = sent.length;
    await embedPages({ ...(sent.at(-1) as EmbedLater), attempt: 2000 }, deps());
    expect(sent).toHaveLength(count);
    await site.settled();
  });

  it('pages get their vectors when they are ingested again', async () => {
    await site.ingest([page], deps());
    mood = 'well';
    expect(await site.ingest([page], deps())).toMatchObject({ processed: 1, skipped: 0 });
    expect(await foundByVector()).toEqual(['/anchor']);
    asked = 0;
    await later();
    expect(asked).toBe(0);
  });

  it('pages wait for the embedder together, not one after another', async () => {
    mood = 'silent';
    const pages = Array.from({ length: 100 }, (_, n) => textPage(`/${n}`, `Page number ${n}.`));
    const sleep = (ms: number) => (ms < 10_000 ? Promise.resolve() : new Promise<void>(() => undefined));
    expect(await site.ingest(pages, { ...deps(), sleep })).toMatchObject({ processed: 100 });
    expect(asked).toBeLessThanOrEqual(4);
    expect(reports).toHaveLength(1);
    expect(sent.flatMap(({ urls }) => urls)).toHaveLength(100);
    expect(await site.settled()).toHaveLength(100);
  });

  it('pages are not written again once they are newer, deleted or purged', async () => {
    const again = async (change: () => Promise<unknown>) => {
      mood = 'unavailable';
      await site.ingest([page], deps());
      mood = 'well';
      await change();
      asked = 0;
      await later();
      expect(asked).toBe(0);
    };
    await again(() => site.ingest([{ ...page, title: 'Newer' }], deps()));
    expect(await site.settled()).toMatchObject([{ title: 'Newer' }]);
    await again(async () => {
      const [row] = await site.rows();
      const { generation } = (await site.record()).state;
      if (row) await table.removeMany([pageKey(site.siteId, generation, row)]);
    });
    await again(() => table.update(stateKey(site.siteId), { add: { generation: 1 }, set: { pageCount: 0 } }));
    expect(await site.rows()).toEqual([]);
    await embedPages({ siteId: 'unknown', generation: 1, urls: ['https://www.example/anchor'], attempt: 0 }, deps());
  });

  it('late vectors do not overwrite newer content', async () => {
    await site.ingest([page], deps());
    mood = 'well';
    const overtaken: Embedder = {
      ...embedder,
      embedTexts: async (texts) => {
        await site.ingest([{ ...page, title: 'Newer' }], deps());
        return embedder.embedTexts(texts);
      },
    };
    await embedPages(sent[0] as EmbedLater, { ...deps(), embedder: overtaken });
    expect(await site.settled()).toMatchObject([{ title: 'Newer' }]);
  });
});
