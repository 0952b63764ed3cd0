import { builtinEmbedder } from '../../lambdas/connectors/embedder/builtin.ts';
import type { Clock } from '../../lambdas/domain/clock.ts';
import {
  type IngestAnswer,
  type IngestDeps,
  ingestPages,
  type PageResult,
} from '../../lambdas/domain/pages/ingest/ingest-pages.ts';
import { type RegisteredPage, registeredPages } from '../../lambdas/domain/pages/page-registry.ts';
import { createOrganisation } from '../../lambdas/domain/sites/access/organisation.ts';
import type { Plan } from '../../lambdas/domain/sites/access/plan.ts';
import { createSite } from '../../lambdas/domain/sites/manage-sites.ts';
import { readSite, type SiteRecord } from '../../lambdas/domain/sites/site.ts';
import { newId } from '../../lambdas/runtime/system.ts';
import * as memory from './memory/stores.ts';

type Stores = Pick<IngestDeps, 'table' | 'queue' | 'pageStore' | 'pageIndex'>;

export const BASE = 'https://www.example/docs/';

const embedder = builtinEmbedder();

export const textPage = (url: string, content: string, more: object = {}): object => ({
  url,
  content,
  contentType: 'text',
  title: `About ${url}`,
  summary: 'All of it.',
  tags: ['test'],
  ...more,
});

export class IngestSite {
  readonly siteId: string;
  readonly orgId: string;
  readonly clock: Clock;
  readonly #stores: Stores;

  private constructor(siteId: string, orgId: string, clock: Clock, stores: Stores) {
    this.siteId = siteId;
    this.orgId = orgId;
    this.clock = clock;
    this.#stores = stores;
  }

  static async open(clock: Clock = Date.now, stores: Stores = memory): Promise<IngestSite> {
    const { table } = stores;
    const orgId = newId();
    await createOrganisation({ orgId, name: 'Test', plan: 'pro' }, { table, clock });
    const site = await createSite({ name: 'Test', baseUrl: BASE }, { orgId, plan: 'pro' }, { table, clock, newId });
    return new IngestSite(site.settings.siteId, orgId, clock, stores);
  }

  /** The stores in memory, or those of `open`. Time passes only by the test's clock. */
  deps(over: Partial<IngestDeps> = {}): IngestDeps {
    const sleep = (ms: number) => (ms === 0 ? Promise.resolve() : new Promise<void>(() => undefined));
    const report = (_: string, error: unknown) => {
      throw error;
    };
    return { ...this.#stores, embedder, clock: this.clock, sleep, report, ...over };
  }

  async record(): Promise<SiteRecord> {
    const site = await readSite(this.siteId, this.#stores.table);
    if (!site) throw new Error('no such site');
    return site;
  }

  async ingest(pages: readonly unknown[], over: Partial<IngestDeps> = {}, plan: Plan = 'pro'): Promise<IngestAnswer> {
    return ingestPages(await this.record(), pages, { plan, receivedAt: this.clock() }, this.deps(over));
  }

  async one(page: unknown, over: Partial<IngestDeps> = {}): Promise<PageResult> {
    const [result] = (await this.ingest([page], over)).results;
    if (!result) throw new Error('no result');
    return result;
  }

  async rows(): Promise<readonly RegisteredPage[]> {
    const { generation } = (await this.record()).state;
    return (await registeredPages(this.siteId, generation, { limit: 1000 }, this.#stores.table)).items;
  }

  /** Titles of indexed pages by path. */
  async indexed(): Promise<Readonly<Record<string, string>>> {
    const { generation } = (await this.record()).state;
    const { items } = await this.#stores.pageIndex.find({ siteId: this.siteId, generation }, { text: '', limit: 1000 });
    return Object.fromEntries(items.map(({ url, title }) => [new URL(url).pathname, title]));
  }

  /** Checks that count, registry, texts and index agree while nothing writes. Returns the rows. */
  async settled(): Promise<readonly RegisteredPage[]> {
    const { state } = await this.record();
    const rows = await this.rows();
    const faults: string[] = [];
    const demand = (holds: boolean, what: string) => holds || faults.push(what);
    demand(state.pageCount === rows.length, `${state.pageCount} pages are counted, ${rows.length} are there`);
    demand(Object.keys(await this.indexed()).length === rows.length, 'the index holds other pages');
    for (const row of rows) {
      const { siteId } = this;
      const ref = { siteId, generation: state.generation, urlHash: row.urlHash };
      const [[passage], [text]] = await Promise.all([
        this.#stores.pageIndex.passages([{ ...ref, ord: 0 }]),
        this.#stores.pageStore.get([{ ...ref, revision: row.revision }]),
      ]);
      demand(!row.pending, `${row.url} is pending`);
      demand(passage?.title === row.title && text?.title === row.title, `${row.url} has not the title of its row`);
      demand(text?.blocks.some((block) => block.text === passage?.text) === true, `${row.url} has another text`);
    }
    if (faults.length > 0) throw new Error(faults.join('; '));
    return rows;
  }
}
