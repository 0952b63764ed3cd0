import { beforeEach, describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import { pageKey, type RegisteredPage } from '../../../lambdas/domain/pages/page-registry.ts';
import { refillSite } from '../../../lambdas/domain/pages/refill-site.ts';
import { type SiteRefill, startRefill } from '../../../lambdas/domain/pages/start-refill.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import type { QueueMessage } from '../../../lambdas/domain/ports/queue.ts';
import { updateSite } from '../../../lambdas/domain/sites/manage-sites.ts';
import type { MetadataField } from '../../../lambdas/domain/sites/metadata-schema.ts';
import { queues } from '../../../lambdas/messages.ts';
import { IngestSite } from '../../support/ingest-site.ts';
import { pageIndex, pageStore, queue, table } from '../../support/memory/stores.ts';
import { htmlPage } from '../../support/web-site.ts';

const builtin = builtinEmbedder();
const BY_URL: MetadataField = { name: 'version', type: 'string', from: { urlPattern: '/docs/*/' } };
const BY_META: MetadataField = { name: 'version', type: 'string', from: { meta: 'version' } };

const page = (version: string, more: object = {}) => ({
  url: `/docs/${version}/select.html`,
  content: htmlPage('Select', `A select of ${version}.`).replace(
    '</head>',
    `<meta name="version" content="${version}.1"><meta name="description" content="About select ${version}."></head>`,
  ),
  ...more,
});

describe('the pages of a site whose metadata schema is set', () => {
  let site: IngestSite;
  let now: number;
  let sent: (SiteRefill & { readonly delaySeconds: number })[];

  beforeEach(async () => {
    [now, sent] = [Date.now(), []];
    site = await IngestSite.open(() => now);
  });

  const send = async (name: string, message: QueueMessage) => {
    const delaySeconds = 'delaySeconds' in message ? (message.delaySeconds ?? 0) : 0;
    if (name === 'refill-pages')
      sent.push({ ...queues['refill-pages'].message.parse(JSON.parse(message.body)), delaySeconds });
  };
  const caller = () => ({ orgId: site.orgId, plan: 'pro' as const, role: 'owner' as const, keyId: 'key' });
  const setSchema = async (metadataSchema: MetadataField[]): Promise<void> => {
    await updateSite(site.siteId, { metadataSchema }, caller(), { table });
    await startRefill(site.siteId, { table, queue: { ...queue, send } });
  };
  const deps = (embedder: Embedder = builtin) => ({
    table,
    pageStore,
    pageIndex,
    embedder,
    queue: { ...queue, send },
    clock: () => now,
    sleep: () => new Promise<void>(() => undefined),
    halt: new AbortController().signal,
    report: () => undefined,
  });
  /** Works the messages until only delayed ones are left. */
  const work = async (over = deps()): Promise<void> => {
    for (let next = sent.find(({ delaySeconds }) => delaySeconds === 0); next; ) {
      sent = sent.filter((message) => message !== next);
      await refillSite(next, over);
      next = sent.find(({ delaySeconds }) => delaySeconds === 0);
    }
  };
  const versions = async (): Promise<readonly unknown[]> => {
    const { siteId } = site;
    const { generation } = (await site.record()).state;
    const rows = await site.settled();
    const found = await pageIndex.passages(rows.map(({ urlHash }) => ({ siteId, generation, urlHash, ord: 0 })));
    return found.map((passage) => passage?.metadata?.version);
  };

  it('pages get the values that their URLs and their stored meta tags have for a new metadata schema', async () => {
    await site.ingest([page('15'), page('16')]);
    await setSchema([BY_URL]);
    await work();
    expect(await versions()).toEqual(['15', '16']);
    await setSchema([BY_META]);
    await work();
    expect(await versions()).toEqual(['15.1', '16.1']);
    await setSchema([]);
    await work();
    expect(await versions()).toEqual([undefined, undefined]);
  });

  it('pages keep the values of their ingestion', async () => {
    await site.ingest([
      page('15', { metadata: { version: 'mine', price: 3 } }),
      page('16', { metadata: { price: 4 } }),
    ]);
    await setSchema([BY_URL]);
    await work();
    expect(await versions()).toEqual(['mine', '16']);
    await setSchema([]);
    await work();
    expect(await versions()).toEqual(['mine', undefined]);
  });

  it('pages are written once, and then skipped by an ingestion of the same content', async () => {
    const pages = [page('15'), page('16', { metadata: { version: 'mine' } })];
    await site.ingest(pages);
    await setSchema([BY_META]);
    await work();
    const rows = await site.settled();
    await setSchema([BY_META]);
    await work();
    expect(await site.settled()).toEqual(rows);
    expect(await site.ingest(pages)).toMatchObject({ skipped: 2 });
  });

  it('pages are ingested again if the stored data does not have the value', async () => {
    await site.ingest([page('15')]);
    await setSchema([{ ...BY_META, from: { meta: 'description' } }]);
    await work();
    expect(await versions()).toEqual([undefined]);
    expect(await site.ingest([page('15')])).toMatchObject({ processed: 1, skipped: 0 });
    expect(await versions()).toEqual(['About select 15.']);
  });

  it('pages keep the value of an earlier source until they are read again', async () => {
    const by = (selector: string): MetadataField[] => [{ ...BY_META, from: { selector } }];
    await setSchema(by('h1'));
    await site.ingest([page('15')]);
    await setSchema(by('p'));
    await work();
    expect(await versions()).toEqual(['Select']);
    await site.ingest([page('15')]);
    expect(await versions()).toEqual(['A select of 15.']);
    await setSchema([]);
    await work();
    expect(await versions()).toEqual([undefined]);
  });

  it('pages are checked a second time, for writers that had read the settings before', async () => {
    const before = await site.record();
    await setSchema([BY_URL]);
    await work();
    await site.ingest([page('15')]);
    const { ingestPages } = await import('../../../lambdas/domain/pages/ingest/ingest-pages.ts');
    await ingestPages(before, [page('16')], { plan: 'pro', receivedAt: site.clock() }, site.deps());
    expect(await versions()).toEqual(['15', undefined]);
    const [second] = sent.splice(0);
    expect(second).toMatchObject({ isSecondPass: true, delaySeconds: 150 });
    await refillSite(second as SiteRefill, deps());
    expect(await versions()).toEqual(['15', '16']);
    expect(sent).toEqual([]);
  });

  it('a message of an earlier schema or a deleted site changes no page', async () => {
    await site.ingest([page('15')]);
    await setSchema([BY_URL]);
    const [earlier] = sent.splice(0);
    await setSchema([BY_META]);
    await refillSite(earlier as SiteRefill, deps());
    expect(await versions()).toEqual([undefined]);
    await refillSite({ siteId: 'gone', version: null, isSecondPass: false }, deps());
    expect(sent).toHaveLength(1);
  });

  it('pages are not checked if the sources are unchanged since all were filled', async () => {
    await site.ingest([page('15')]);
    await setSchema([{ name: 'price', type: 'number' }]);
    expect(sent).toEqual([]);
    await setSchema([BY_URL]);
    await work();
    await setSchema([BY_URL]);
    expect(sent).toHaveLength(2); // the second pass is still to come
    for (const message of sent.splice(0)) await refillSite({ ...message, isSecondPass: true }, deps());
    await setSchema([{ ...BY_URL, label: 'Version' }]);
    expect(sent).toEqual([]);
    await setSchema([]);
    await work();
    expect(await versions()).toEqual([undefined]);
  });

  it('pages are filled in turns, each of which sends the next', async () => {
    const pages = Array.from({ length: 45 }, (_, i) => page(String(10 + i)));
    await site.ingest(pages);
    await setSchema([BY_URL]);
    const [first] = sent.splice(0);
    const slow = deps();
    await refillSite(first as SiteRefill, { ...slow, clock: () => (now += 40_000) });
    expect(sent).toMatchObject([
      { version: first?.version, after: { url: 'https://www.example/docs/29/select.html' } },
    ]);
    await work();
    expect(await versions()).toEqual(pages.map((_, i) => String(10 + i)));
  });

  it('pages that a writer is working on are left to it', async () => {
    await site.ingest([page('15'), page('16')]);
    const [row] = (await site.rows()) as [RegisteredPage];
    const { generation } = (await site.record()).state;
    await table.update(pageKey(site.siteId, generation, row), { set: { pending: true } });
    await setSchema([BY_URL]);
    await work();
    const stored = await site.rows();
    expect(stored.map(({ revision }) => revision === row.revision)).toEqual([true, false]);
    expect(stored[0]).toMatchObject({ pending: true });
  });

  it('pages are filled while the embedder is unavailable, and get their vectors later', async () => {
    await site.ingest([page('15')]);
    await setSchema([BY_URL]);
    const away: Embedder = {
      ...builtin,
      embedTexts: async () => {
        throw new UnavailableError('unavailable');
      },
    };
    await work(deps(away));
    expect(await versions()).toEqual(['15']);
    expect(await site.rows()).toMatchObject([{ unembedded: true }]);
  });
});
