import type { Clock } from '../../clock.ts';
import { AiBudgetError } from '../../errors.ts';
import { entriesWithoutVectors } from '../../pages/embed-later.ts';
import { enrichedLater } from '../../pages/enrichment/enrich-later.ts';
import type { MadeField } from '../../pages/enrichment/made-metadata.ts';
import { indexEntries } from '../../pages/index-entry.ts';
import { type EntryMaker, type PageWriter, reserveRevisions } from '../../pages/page-writer.ts';
import type { Embedder, EmbeddingAccount } from '../../ports/embedder.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { type SiteState, stateKey } from '../../sites/site.ts';
import { payingEmbedder } from '../../sites/usage/paying-embedder.ts';
import { type CrawlJob, jobKey } from '../jobs/job.ts';
import { holdsLease } from '../jobs/slice.ts';
import type { ClassifiedVisit } from './classify-pages.ts';

export type WriterDeps = {
  readonly table: Table;
  readonly embedder: Embedder;
  readonly queue: Queue;
  /** A model adds summaries and tags to pages, later. */
  readonly enriches?: boolean;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
} & Pick<EmbeddingAccount, 'timeLeft'>;

/** How the pages of a job are written, as write-pages.ts says. A slice has one. */
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
    ...(pageQuota !== undefined && { maxPages: pageQuota }),
    jobId,
  };
  return { pages, revisions, quota: new PageQuota(job, deps.table) };
}

/** A crawled page has a title of its own. */
const MADE_OF_CRAWLED: readonly MadeField[] = ['summary', 'tags'];

/** A crawl waits for an embedder that fails, but not for the tokens of the next month: vectors are added later. */
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

/** Makes the index entries of crawled pages, and queues those that a model enriches later. */
const crawledEntries = ({ orgId }: Pick<CrawlJob, 'orgId'>, deps: WriterDeps): EntryMaker =>
  enrichedLater(
    entryMaker(payingEmbedder(deps.embedder, orgId, deps), deps),
    () => (deps.enriches ? MADE_OF_CRAWLED : []),
    deps.queue,
  );

const REVISIONS_PER_BLOCK = 100;

/** Revisions of a running job, reserved in blocks, for one write instead of one per commit. Gaps are harmless. */
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
   * Answers the first of `count` revisions, at most a block at once; undefined if the job may no longer write. With
   * `isFresh`, they are of a new block.
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

  /** Drops the rest of the block: another writer may have removed a page with a higher revision. */
  drop(): void {
    this.#next = this.#end;
  }
}

/**
 * Leaves new pages out of a site that has as many as its plan includes. The crawl goes on, so that the pages that are
 * there are updated.
 */
class PageQuota {
  readonly #job: CrawlJob;
  readonly #table: Table;
  #isReached: boolean;
  /** For how many new pages there is room besides those let in. Too much, if others have added pages meanwhile. */
  #room: number | undefined;

  constructor(job: CrawlJob, table: Table) {
    this.#job = job;
    this.#table = table;
    this.#isReached = job.hasReachedQuota ?? false;
  }

  /** What the job says about it. */
  get jobFields(): Pick<CrawlJob, 'hasReachedQuota'> {
    return this.#isReached ? { hasReachedQuota: true } : {};
  }

  /**
   * Leaves out the new pages beyond the quota before they are embedded. When the room seems to be used up, it is read
   * again once `written` resolves: then the site counts the pages that were let in before. A dry run adds no pages, so
   * it leaves none out.
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
