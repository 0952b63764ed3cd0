import type { Clock } from '../../clock.ts';
import { UnavailableError } from '../../errors.ts';
import { searchedLanguage } from '../../language/searched-language.ts';
import { indexEntries } from '../../pages/index-entry.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { PageIndex } from '../../ports/page-index.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Change, Table } from '../../ports/table.ts';
import { languageField, stateKey } from '../../sites/site.ts';
import { withStoredPages } from '../fetch/revalidation.ts';
import type { Visit, VisitRules } from '../fetch/visit-result.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { finishChanges, postponeChanges } from '../frontier/frontier-rows.ts';
import { urlFilter } from '../frontier/url-filter.ts';
import { type CrawlJob, type JobCounters, jobKey, type Moved, moved } from '../job/job.ts';
import { holdsLease, LostLease } from '../job/slice.ts';
import { judgePages, type Settled } from './classify-pages.ts';
import { beginDemotion, claimText, finishDemotions } from './duplicates.ts';

/** Five items a page (seven if it supplants another) and two more keep a write of so many pages under 100. */
export const PAGES_PER_COMMIT = 14;
const REVISIONS_AT_ONCE = 100;

export type CommitDeps = {
  readonly table: Table;
  readonly pageStore: PageStore;
  readonly pageIndex: PageIndex;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
};

/**
 * The one writer of a slice. A page is written in this order: text; registry row, higher revision, pending; index; pending cleared
 * together with the URL's outcome and the job's counters. A crash at any point leaves the URL queued, and the next slice does it again.
 */
export class Committer {
  readonly #job: CrawlJob;
  readonly #frontier: Frontier;
  readonly #rules: VisitRules;
  readonly #deps: CommitDeps;
  readonly #revisions = { last: 0, reserved: 0 };

  constructor(
    job: CrawlJob,
    { frontier, rules }: { readonly frontier: Frontier; readonly rules: VisitRules },
    deps: CommitDeps,
  ) {
    this.#job = job;
    this.#frontier = frontier;
    this.#rules = rules;
    this.#deps = deps;
  }

  /**
   * Writes at most `PAGES_PER_COMMIT` visits; the same ones may be given again after a failure. `whenExpanded` is called, and awaited, as soon
   * as deeper URLs need not wait for them: before pages are indexed.
   */
  async commit(finished: readonly Visit[], whenExpanded?: () => Promise<void>): Promise<void> {
    const { table, clock, pageStore } = this.#deps;
    const visits = await withStoredPages(finished, this.#job, this.#rules, pageStore);
    const judged = await judgePages(visits, this.#job, { table, clock, nextRevision: () => this.#nextRevision() });
    const move = this.#moveIn(visits);
    if (move) this.#frontier.useFilter(urlFilter({ ...this.#job, ...move }));
    await this.#frontier.add(visits.flatMap(({ found }) => found));
    if (!move) {
      this.#frontier.markExpanded(judged.flatMap(({ visit, ending }) => ('outcome' in ending ? [visit.queued] : [])));
      await whenExpanded?.();
    }
    const settled = await this.#index(judged);
    await this.#finish(settled);
    for (const { visit, ending } of settled) this.#frontier.dequeued(visit.queued, !('outcome' in ending));
    await this.#dropReplaced(settled);
    if (settled.some(({ supplants }) => supplants)) await finishDemotions(this.#job, this.#deps);
  }

  /** Where the site has moved, if one of the visits has told so. */
  #moveIn(visits: readonly Visit[]): Moved | undefined {
    const to = visits.findLast(({ movedTo }) => movedTo !== undefined)?.movedTo;
    return to === undefined ? undefined : moved(this.#job, to);
  }

  /** Revisions are reserved in blocks; a gap is harmless. */
  async #nextRevision(): Promise<number> {
    const { jobId, siteId } = this.#job;
    if (this.#revisions.last === this.#revisions.reserved) {
      const state = await this.#deps.table.update<{ revision: number }>(stateKey(siteId), {
        add: { revision: REVISIONS_AT_ONCE },
        when: { equals: { runningJobId: jobId } },
      });
      if (!state) throw new LostLease();
      this.#revisions.reserved = state.revision;
      this.#revisions.last = state.revision - REVISIONS_AT_ONCE;
    }
    this.#revisions.last++;
    return this.#revisions.last;
  }

  /** Text and registry of the changed pages, and their index unless only links have changed. Answers all with the rows as they are then. */
  async #index(judged: readonly Settled[]): Promise<readonly Settled[]> {
    const { table, pageStore, pageIndex, embedder, sleep } = this.#deps;
    const { jobId, siteId, generation } = this.#job;
    const changed = judged.flatMap(({ row, content, visit, ...judgement }) =>
      row && content ? [{ ...judgement, row, content, depth: visit.queued.depth }] : [],
    );
    if (changed.length === 0) return judged;
    const texts = changed.map(({ row: { url, urlHash, revision }, content }) => ({
      address: { siteId, generation, urlHash, revision },
      page: { ...content, url },
    }));
    const pages = changed.filter(isIndexed).map(({ row, content }) => ({ siteId, generation, row, content }));
    const [, indexed] = await Promise.all([pageStore.put(texts), indexEntries(pages, embedder, () => sleep(0))]);
    const rows = new Map([...changed, ...indexed].map(({ row }) => [row.urlHash, row]));
    const check = { check: jobKey(jobId), when: holdsLease(this.#job) };
    const refused = await table.write([
      check,
      ...changed.map(({ row: { urlHash }, replaces }): Change => {
        const row = rows.get(urlHash) as RegisteredPage;
        return { put: { ...pageKey(siteId, generation, row), ...row, pending: true }, when: asJudged(replaces) };
      }),
      // A half-written page has its text already: were another indexed for it meanwhile, this one would be left behind.
      // One that takes the text from another has it when that one goes.
      ...changed.flatMap(({ row, depth, supplants }) => (supplants ? [] : [claimText(this.#job, row, { depth })])),
    ]);
    if (refused.includes(check)) throw new LostLease();
    if (refused.length > 0) throw new UnavailableError(OVERTAKEN);
    const entries = indexed.map(({ entry }) => entry);
    if (entries.length > 0) await pageIndex.put(entries, { visible: 'soon' });
    return judged.map((settled) => {
      const row = rows.get(settled.visit.queued.urlHash);
      return row && settled.content ? { ...settled, row } : settled;
    });
  }

  async #finish(settled: readonly Settled[]): Promise<void> {
    const { siteId, generation, jobId } = this.#job;
    const added = settled.filter(({ isNew }) => isNew).length;
    const currentUrl = settled.at(-1)?.visit.queued.url ?? this.#job.baseUrl;
    const held = settled.flatMap(({ row, visit }) => (row ? [{ row, depth: visit.queued.depth }] : []));
    const move = this.#moveIn(settled.map(({ visit }) => visit));
    const base = move && { effectiveBaseUrl: move.baseUrl };
    const counting = {
      update: jobKey(jobId),
      set: { currentUrl, ...move, ...pause(settled) },
      add: increments(settled),
      when: holdsLease(this.#job),
    };
    const outcomes = new Map(
      settled.map((page) => {
        const { visit, ending } = page;
        const isEnd = 'outcome' in ending;
        return [
          page,
          isEnd ? finishChanges(jobId, visit.queued, ending) : postponeChanges(jobId, visit.queued, ending),
        ] as const;
      }),
    );
    const refused = await this.#deps.table.write([
      counting,
      { update: stateKey(siteId), add: { pageCount: added }, set: { ...languagesOf(settled), ...base } },
      ...[...outcomes.values()].flat(),
      ...held.map(({ row }): Change => {
        const put = { ...pageKey(siteId, generation, row), ...row, counted: true };
        return { put, when: asJudged(row.revision) };
      }),
      ...held.map(({ row, depth }) => claimText(this.#job, row, { depth })),
      ...settled.flatMap(({ visit, supplants }) =>
        supplants ? beginDemotion(supplants, visit.queued.url, this.#job) : [],
      ),
    ]);
    if (refused.length === 0) return;
    if (refused.includes(counting)) throw new LostLease();
    // A page whose outcome is refused was written before and the answer was lost: the others are written without it.
    const left = settled.filter((page) => !outcomes.get(page)?.some((change) => refused.includes(change)));
    if (left.length === settled.length) throw new UnavailableError(OVERTAKEN);
    if (left.length > 0) await this.#finish(left);
  }

  /** A crash before this leaves a text that nobody asks for; it goes with its site. */
  async #dropReplaced(settled: readonly Settled[]): Promise<void> {
    const { siteId, generation } = this.#job;
    const addresses = settled.flatMap(({ visit, replaces }) =>
      replaces === undefined ? [] : [{ siteId, generation, urlHash: visit.queued.urlHash, revision: replaces }],
    );
    if (addresses.length > 0) await this.#deps.pageStore.remove(addresses);
  }
}

/** Pages may be ingested meanwhile: what was judged is judged again then. */
const OVERTAKEN = 'a page was ingested while it was written';
const asJudged = (revision: number | undefined) => ({
  equals: { source: [null, 'crawl'], revision: revision ?? null },
});

const isIndexed = ({ ending }: Pick<Settled, 'ending'>): boolean => 'outcome' in ending && ending.outcome === 'indexed';

/** Those of pages found unchanged too: a write whose answer was lost may have brought them. */
function languagesOf(settled: readonly Settled[]): Readonly<Record<string, true>> {
  const found = settled.flatMap(({ visit }) => ('content' in visit ? [searchedLanguage(visit.content.language)] : []));
  return Object.fromEntries(found.map((language) => [languageField(language), true] as const));
}

/** How long the site asked not to be asked, so that the next slice heeds it too. */
function pause(settled: readonly Settled[]): Pick<CrawlJob, 'pausedUntil'> {
  const moments = settled.flatMap(({ visit }) => ('next' in visit && visit.load ? [visit.next.notBefore] : []));
  return moments.length === 0 ? {} : { pausedUntil: Math.max(...moments) };
}

function increments(settled: readonly Settled[]): Partial<Record<keyof JobCounters, number>> {
  const sums: Partial<Record<keyof JobCounters, number>> = {};
  const add = (counter: keyof JobCounters) => {
    sums[counter] = (sums[counter] ?? 0) + 1;
  };
  for (const { visit, ending } of settled) {
    if ('outcome' in ending) add(ending.outcome);
    if (visit.fetched) add('fetches');
    if (visit.answered) add('answered');
  }
  return sums;
}
