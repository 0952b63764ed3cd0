import type { Clock } from '../../clock.ts';
import { AiBudgetError } from '../../errors.ts';
import { entriesWithoutVectors } from '../../pages/embed-later.ts';
import { enrichedLater } from '../../pages/enrichment/enrich-later.ts';
import type { MadeField } from '../../pages/enrichment/made-metadata.ts';
import { indexEntries } from '../../pages/index-entry.ts';
import type { EntryMaker } from '../../pages/page-writer.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { payingEmbedder } from '../../sites/usage/paying-embedder.ts';
import type { CrawlJob } from '../jobs/job.ts';

export type CrawledEntryDeps = {
  readonly table: Table;
  readonly embedder: Embedder;
  readonly queue: Queue;
  /** A model adds summaries and tags to pages, later. */
  readonly enriches?: boolean;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
};

/** A crawled page has a title of its own. */
const MADE_OF_CRAWLED: readonly MadeField[] = ['summary', 'tags'];

/** A crawl waits for an embedder that fails, but not for the tokens of the next month: vectors are added later. */
const entryMaker =
  (embedder: Embedder, { queue, sleep }: Pick<CrawledEntryDeps, 'queue' | 'sleep'>): EntryMaker =>
  async (pages) => {
    try {
      return { entries: await indexEntries(pages, embedder, () => sleep(0)), unembedded: false };
    } catch (error) {
      if (!(error instanceof AiBudgetError)) throw error;
      return entriesWithoutVectors(pages, queue);
    }
  };

/** Makes the index entries of crawled pages, and queues those that a model enriches later. */
export const crawledEntries = ({ orgId }: Pick<CrawlJob, 'orgId'>, deps: CrawledEntryDeps): EntryMaker =>
  enrichedLater(
    entryMaker(payingEmbedder(deps.embedder, orgId, deps), deps),
    () => (deps.enriches ? MADE_OF_CRAWLED : []),
    deps.queue,
  );
