import { UnavailableError } from '../../errors.ts';
import { pageKey } from '../../pages/page-registry.ts';
import type { PageDraft, PageWriter } from '../../pages/page-writer.ts';
import { endPendingWrites } from '../../pages/pending-writes.ts';
import type { PreparedPage } from '../../pages/register-pages.ts';
import { preparePages, settledRow, stagePages, type Written, writePages } from '../../pages/write-pages.ts';
import type { PageIndex } from '../../ports/page-index.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Change, Key } from '../../ports/table.ts';
import { stateKey } from '../../sites/site.ts';
import { beginDemotion, finishDemotions, rememberDemotions } from '../duplicates/demotions.ts';
import { claimText } from '../duplicates/duplicates.ts';
import { withStoredPages } from '../fetch/read-page.ts';
import type { Refusals } from '../fetch/refusals.ts';
import type { Visit, VisitRules } from '../fetch/visit-result.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { urlFilter } from '../frontier/url-filter.ts';
import { type CrawlJob, effectiveBase, jobKey, type Moved, moved } from '../jobs/job.ts';
import { holdsLease, LostLease } from '../jobs/slice.ts';
import { finishChanges, postponeChanges, type QueuedUrl } from '../jobs/url-rows.ts';
import { type ClassifiedVisit, classifyPages, textsOf } from './classify-pages.ts';
import { type CommittedVisit, increments, pauseOf } from './committed-visit.ts';
import { type CrawledEntryDeps, crawledEntries } from './crawled-entries.ts';
import { PageQuota } from './page-quota.ts';
import { planPages } from './plan-pages.ts';
import { RevisionBlocks } from './revision-blocks.ts';
import { settleOfEndedJob } from './settle-of-ended-job.ts';

/** The last write has four items a page, six if it takes over a text, and two more. A write holds 100. */
export const PAGES_PER_COMMIT = 16;
/** Pages may be ingested or removed meanwhile. The visits are then classified again. */
const OVERTAKEN = 'a page was written by others meanwhile';

export type CommitDeps = CrawledEntryDeps & {
  readonly pageStore: PageStore;
  readonly pageIndex: PageIndex;
};

/** A commit that has to be written. */
export type PreparedCommit = {
  readonly visits: readonly ClassifiedVisit[];
  readonly pages: readonly PreparedPage[];
  /** Hashes of the texts that its pages have, or had. */
  readonly texts: ReadonlySet<string>;
};

/** The commit that is being written while the next one is prepared. */
export type CommitUnderWay = Pick<PreparedCommit, 'texts'> & {
  /** Resolves when it was written or has failed. */
  readonly ended: Promise<unknown>;
};

type PrepareOptions = {
  /** Called, and awaited, when the visits no longer hold back deeper URLs: before their pages are embedded. */
  readonly whenExpanded?: () => Promise<void>;
  readonly underWay?: CommitUnderWay | undefined;
};

/**
 * The one writer of a slice. It writes pages as write-pages.ts says; their rows are settled in the write that gives the
 * URLs their outcomes. A crash before that leaves the URLs queued, and the next slice visits them again.
 */
export class Committer {
  readonly #job: CrawlJob;
  readonly #frontier: Frontier;
  readonly #rules: VisitRules;
  readonly #refusals: Refusals;
  readonly #deps: CommitDeps;
  readonly #writer: PageWriter;
  readonly #quota: PageQuota;
  readonly #revisions: RevisionBlocks;
  /** Whose outcome or next try was refused in this commit. */
  readonly #refusedUrls: QueuedUrl[] = [];

  constructor(
    job: CrawlJob,
    {
      frontier,
      rules,
      refusals,
    }: { readonly frontier: Frontier; readonly rules: VisitRules; readonly refusals: Refusals },
    deps: CommitDeps,
  ) {
    const { siteId, generation } = job;
    this.#job = job;
    this.#frontier = frontier;
    this.#rules = rules;
    this.#refusals = refusals;
    this.#deps = deps;
    this.#quota = new PageQuota(job, deps.table);
    this.#revisions = new RevisionBlocks(job, deps.table);
    this.#writer = {
      site: { siteId, generation },
      reserve: (count, isFresh) => this.#revisions.reserve(count, isFresh),
      makeEntries: crawledEntries(job, deps),
      visible: 'soon',
      guard: { check: jobKey(job.jobId), when: holdsLease(job) },
      ...(job.pageQuota !== undefined && { maxPages: job.pageQuota }),
      jobId: job.jobId,
    };
  }

  /** Both steps at once, when nothing else is committed. */
  async commit(finished: readonly Visit[]): Promise<void> {
    await this.write(await this.prepare(finished));
  }

  /**
   * Prepares at most `PAGES_PER_COMMIT` visits: enqueues their links, classifies their pages, and stores and embeds
   * those that are to be indexed. After a failure, of this step or of `write`, the same ones can be given again.
   */
  async prepare(finished: readonly Visit[], { whenExpanded, underWay }: PrepareOptions = {}): Promise<PreparedCommit> {
    const { pageStore } = this.#deps;
    const visits = await withStoredPages(finished, this.#job, this.#rules, pageStore);
    const found = visits.flatMap((visit) => visit.found);
    const move = this.#moveIn(visits);
    // Links are enqueued before pages are compared, because pages may name each other as canonical.
    if (!move) await this.#frontier.add(found);
    const classified = await this.#classify(visits, underWay);
    if (move) {
      this.#frontier.useFilter(urlFilter({ ...this.#job, ...move }));
      await this.#frontier.add(found);
    } else {
      this.#frontier.markExpanded(classified.flatMap(({ visit, ending }) => ('outcome' in ending ? visit.queued : [])));
      await whenExpanded?.();
    }
    const texts = new Set(textsOf(classified));
    if (this.#job.dryRun) return { visits: await planPages(classified, this.#job, pageStore), pages: [], texts };
    const drafts = classified.flatMap(({ draft }) => draft ?? []);
    const pages = await preparePages(drafts, this.#writer, pageStore);
    if (!pages) throw new LostLease();
    return { visits: classified, pages, texts };
  }

  /** Writes the pages of a prepared commit, and then the outcomes of its visits. */
  async write({ visits, pages }: PreparedCommit): Promise<void> {
    const { written, pending } = await stagePages(pages, this.#writer, this.#deps);
    const committed = visits.map((page) => this.#committed(page, written));
    const ended = await this.#finish(committed, pending).catch(async (error: unknown) => {
      if (error instanceof LostLease)
        await settleOfEndedJob(this.#job, { ...this.#writer, written, pending }, this.#deps);
      throw error;
    });
    await this.#dequeue(committed);
    if (committed.some(({ supplants }) => supplants)) await finishDemotions(this.#job, this.#deps);
    await endPendingWrites(ended, this.#deps.table);
  }

  async #dequeue(visits: readonly ClassifiedVisit[]): Promise<void> {
    const refused = new Set(this.#refusedUrls.splice(0));
    for (const { visit, ending } of visits)
      if (!refused.has(visit.queued)) this.#frontier.dequeued(visit.queued, 'outcome' in ending ? undefined : ending);
    if (refused.size > 0) await this.#frontier.reload([...refused]);
  }

  /** Writes pages of which only the row has changed. One that others have written meanwhile is left to them. */
  async rewrite(drafts: readonly PageDraft[]): Promise<void> {
    const written = await writePages(drafts, this.#writer, this.#deps);
    if ([...written.values()].includes('revoked')) throw new LostLease();
    if ([...written.values()].includes('overtaken')) this.#revisions.drop();
  }

  /** Which page owns a text is only known when a commit that has the same text has ended. */
  async #classify(visits: readonly Visit[], underWay?: CommitUnderWay): Promise<readonly ClassifiedVisit[]> {
    const { fields } = this.#rules;
    const isNamed = (hash: string) => this.#frontier.isNamed(hash);
    const classify = () => classifyPages(visits, this.#job, { ...this.#deps, fields, isNamed });
    let classified = await classify();
    if (underWay && textsOf(classified).some((hash) => underWay.texts.has(hash))) {
      await underWay.ended;
      classified = await classify();
    }
    return this.#quota.withRoom(classified, underWay?.ended);
  }

  #moveIn(visits: readonly Visit[]): Moved | undefined {
    const to = visits.findLast(({ movedTo }) => movedTo !== undefined)?.movedTo;
    return to === undefined ? undefined : moved(this.#job, to);
  }

  #committed(page: ClassifiedVisit, written: ReadonlyMap<PageDraft, Written>): CommittedVisit {
    const row = page.draft ? (written.get(page.draft) ?? 'overtaken') : page.confirmed;
    if (row === 'no_room') return { ...this.#quota.leftOut(page), row: undefined };
    if (row === 'revoked') throw new LostLease();
    if (row === 'overtaken') throw this.#overtaken();
    return { ...page, row };
  }

  #overtaken(): UnavailableError {
    this.#revisions.drop();
    return new UnavailableError(OVERTAKEN);
  }

  /**
   * Gives the URLs their outcomes, settles the rows of their pages and counts both, in one write. Answers which
   * pending writes end with it, once the pages that it marks for removal are removed.
   */
  async #finish(committed: readonly CommittedVisit[], pending: readonly Key[]): Promise<readonly Key[]> {
    const { jobId } = this.#job;
    const move = this.#moveIn(committed.map(({ visit }) => visit));
    const counters = {
      update: jobKey(jobId),
      set: {
        currentUrl: committed.at(-1)?.visit.queued.url ?? this.#job.baseUrl,
        ...move,
        ...pauseOf(committed),
        ...this.#refused,
        ...this.#quota.jobFields,
      },
      add: increments(committed),
      when: holdsLease(this.#job),
    };
    const outcomes = new Map(committed.map((page) => [page, this.#outcomeChanges(page)] as const));
    const revisions = await this.#revisionsOf(committed.filter(({ supplants }) => supplants));
    const removals = await rememberDemotions(revisions, this.#job, this.#deps);
    const refused = await this.#deps.table.write([
      counters,
      ...(move && !this.#job.dryRun ? [{ update: stateKey(this.#job.siteId), set: effectiveBase(move) }] : []),
      ...[...outcomes.values()].flat(),
      ...committed.flatMap((page) => this.#pageChanges(page, revisions.get(page))),
    ]);
    if (refused.length === 0) return [...pending, ...removals];
    if (refused.includes(counters)) throw new LostLease();
    // A refused outcome was written by an earlier attempt whose answer was lost, or the URL was queued in a better way:
    // the other visits are written without it. Its row may stay pending.
    const isRefused = (page: CommittedVisit) => outcomes.get(page)?.some((change) => refused.includes(change)) ?? false;
    const left = committed.filter((page) => !isRefused(page));
    this.#refusedUrls.push(...committed.filter(isRefused).map(({ visit }) => visit.queued));
    if (left.length === committed.length) throw this.#overtaken();
    return left.length > 0 ? [...removals, ...(await this.#finish(left, []))] : removals;
  }

  #outcomeChanges({ visit: { queued }, ending }: CommittedVisit): readonly Change[] {
    const { jobId } = this.#job;
    return 'outcome' in ending ? finishChanges(jobId, queued, ending) : postponeChanges(jobId, queued, ending);
  }

  get #refused(): Pick<CrawlJob, 'refusals' | 'answeredUrl'> {
    const { state, answeredUrl } = this.#refusals;
    return {
      ...(state.refusal && { refusals: state }),
      ...(answeredUrl !== undefined && { answeredUrl }),
    };
  }

  async #revisionsOf(pages: readonly CommittedVisit[]): Promise<ReadonlyMap<CommittedVisit, number>> {
    if (pages.length === 0) return new Map();
    const first = await this.#revisions.reserve(pages.length);
    if (first === undefined) throw new LostLease();
    return new Map(pages.map((page, index) => [page, first + index] as const));
  }

  /** The changes of the registry: of the page, its text, and the page that it takes the text over from. */
  #pageChanges(
    { visit: { queued }, row, draft, claimed, supplants, plan }: CommittedVisit,
    revision: number | undefined,
  ): readonly Change[] {
    if (!row) return plan ? [plan.claim] : [];
    const { site } = this.#writer;
    const when = { equals: { revision: row.revision } };
    const confirmed = { put: { ...pageKey(site.siteId, site.generation, row), ...row }, when };
    return [
      draft ? settledRow(site, row) : confirmed,
      ...(claimed ? [] : [claimText(this.#job, row)]),
      ...(supplants && revision !== undefined ? beginDemotion(supplants, queued.url, revision, this.#job) : []),
    ];
  }
}
