import { defined } from '../../../text/defined.ts';
import type { Clock } from '../../clock.ts';
import { AiBudgetError } from '../../errors.ts';
import { entriesWithoutVectors } from '../../pages/embed-later.ts';
import { enrichedLater } from '../../pages/enrichment/enrich-later.ts';
import type { GeneratedField } from '../../pages/enrichment/generated-metadata.ts';
import { indexEntries } from '../../pages/index-entry.ts';
import { type EntryMaker, type PageWriter, reserveRevisions } from '../../pages/page-writer.ts';
import type { Embedder, EmbeddingAccount } from '../../ports/embedder.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { type SiteState, stateKey } from '../../sites/site.ts';
import { meteredEmbedder } from '../../sites/usage/metered-embedder.ts';
import { type CrawlJob, jobKey } from '../jobs/job.ts';
import { holdsLease } from '../jobs/slice.ts';
import type { ClassifiedVisit } from './classify-pages.ts';

export type WriterDeps = {
  readonly table: Table;
  readonly embedder: Embedder;
  readonly queue: Queue;
  /** Whether a model adds summaries and tags later. */
  readonly enriches?: boolean;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
} & Pick<EmbeddingAccount, 'timeLeft'>;

/** The writers of a job's pages, whose protocol write-pages.ts describes. Each slice has one. */
export type CrawlWriter = {
  readonly pages: PageWriter;
  readonly revisions: RevisionBlocks;
  readonly quota: PageQuota;
};

export function crawlWriter(job: CrawlJob, deps: WriterDeps): CrawlWriter {
  const { siteId, generation, jobId, pageQuota } = job;
  const revisions = new RevisionBlocks(job, deps.table);
  const pages: PageWriter = {
    site: { siteId, generation },
    reserve: (count, isFresh) => revisions.reserve(count, isFresh),
    makeEntries: crawledEntries(job, deps),
    visible: 'soon',
    guard: { check: jobKey(jobId), when: holdsLease(job) },
    ...defined({ maxPages: pageQuota }),
    jobId,
  };
  return { pages, revisions, quota: new PageQuota(job, deps.table) };
}

/** A crawled page has its own title, so none is generated. */
const MADE_OF_CRAWLED: readonly GeneratedField[] = ['summary', 'tags'];

/**
 * Makes index entries. A crawl waits for a failing embedder, but not for next month's tokens: then vectors are added
 * later.
 */
const entryMaker =
  (embedder: Embedder, { queue, sleep }: Pick<WriterDeps, 'queue' | 'sleep'>): EntryMaker =>
  async (pages) => {
    try {
      return { entries: await indexEntries(pages, embedder, () => sleep(0)), unembedded: false };
    } catch (error) {
      if (!(error instanceof AiBudgetError)) throw error;
      return entriesWithoutVectors(pages, queue);
    }
  };

/** Makes the index entries of crawled pages, and queues pages that a model enriches later. */
const crawledEntries = ({ orgId }: Pick<CrawlJob, 'orgId'>, deps: WriterDeps): EntryMaker =>
  enrichedLater(
    entryMaker(meteredEmbedder(deps.embedder, orgId, deps), deps),
    () => (deps.enriches ? MADE_OF_CRAWLED : []),
    deps.queue,
  );

const REVISIONS_PER_BLOCK = 100;

/**
 * Reserves revisions for a running job in blocks, which takes one write per block instead of one per commit. Gaps are
 * harmless.
 */
class RevisionBlocks {
  readonly #job: Pick<CrawlJob, 'jobId' | 'siteId' | 'generation'>;
  readonly #table: Table;
  #next = 1;
  #end = 1;

  constructor(job: Pick<CrawlJob, 'jobId' | 'siteId' | 'generation'>, table: Table) {
    this.#job = job;
    this.#table = table;
  }

  /**
   * Returns the first of `count` revisions, at most `REVISIONS_PER_BLOCK`; undefined if the job may no longer write.
   * With `isFresh`, they come from a new block.
   */
  async reserve(count: number, isFresh = false): Promise<number | undefined> {
    if (isFresh) this.drop();
    if (this.#next + count > this.#end) {
      const condition = { runningJobId: this.#job.jobId };
      const first = await reserveRevisions(this.#job, REVISIONS_PER_BLOCK, this.#table, condition);
      if (first === undefined) return undefined;
      this.#next = first;
      this.#end = first + REVISIONS_PER_BLOCK;
    }
    const next = this.#next;
    this.#next += count;
    return next;
  }

  /** Drops the rest of the block, because another writer may have removed a page with a higher revision. */
  drop(): void {
    this.#next = this.#end;
  }
}

/**
 * Leaves out new pages once a site has as many as its plan includes. The crawl continues and updates the existing
 * pages.
 */
class PageQuota {
  readonly #job: CrawlJob;
  readonly #table: Table;
  #isReached: boolean;
  /** Number of new pages still allowed. It is too high if other writers have added pages since it was read. */
  #room: number | undefined;

  constructor(job: CrawlJob, table: Table) {
    this.#job = job;
    this.#table = table;
    this.#isReached = job.hasReachedQuota ?? false;
  }

  /** The fields with which the job stores the state of the quota. */
  get jobFields(): Pick<CrawlJob, 'hasReachedQuota'> {
    return this.#isReached ? { hasReachedQuota: true } : {};
  }

  /**
   * Leaves out new pages beyond the quota before they are embedded. If the room is used up, it is read again once
   * `written` resolves, because the site then counts the pages admitted before. A dry run adds no pages, so it leaves
   * none out.
   */
  async withRoom(pages: readonly ClassifiedVisit[], written?: Promise<unknown>): Promise<readonly ClassifiedVisit[]> {
    const { pageQuota, dryRun } = this.#job;
    if (pageQuota === undefined || dryRun) return pages;
    const added = pages.filter(isNew).length;
    let room = this.#room ?? (await this.#readRoom(pageQuota));
    if (added > room) {
      await written;
      room = await this.#readRoom(pageQuota);
    }
    this.#room = Math.max(0, room - added);
    return pages.map((page) => (isNew(page) && room-- <= 0 ? this.leftOut(page) : page));
  }

  async #readRoom(pageQuota: number): Promise<number> {
    const state = await this.#table.get<SiteState>(stateKey(this.#job.siteId));
    return pageQuota - (state?.pageCount ?? 0);
  }

  leftOut({ visit }: ClassifiedVisit): ClassifiedVisit {
    this.#isReached = true;
    this.#room = 0;
    const status = 'status' in visit ? { status: visit.status } : {};
    return { visit, ending: { outcome: 'skipped', reason: 'over_limit', ...status } };
  }
}

const isNew = ({ draft }: ClassifiedVisit): boolean => draft !== undefined && !draft.before;
