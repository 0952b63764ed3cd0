import type { CrawlJob } from '../../jobs/job.ts';
import type { Table } from '../../ports/table.ts';
import { type SiteState, stateKey } from '../../sites/site.ts';
import type { ClassifiedVisit } from './classify-pages.ts';

/**
 * Leaves new pages out of a site that has as many as its plan includes. The crawl goes on, so that the pages that are
 * there are updated.
 */
export class PageQuota {
  readonly #job: CrawlJob;
  readonly #table: Table;
  #isReached: boolean;

  constructor(job: CrawlJob, table: Table) {
    this.#job = job;
    this.#table = table;
    this.#isReached = job.hasReachedQuota ?? false;
  }

  /** What the job says about it. */
  get jobFields(): Pick<CrawlJob, 'hasReachedQuota'> {
    return this.#isReached ? { hasReachedQuota: true } : {};
  }

  /** Once the quota was reached, leaves out the pages beyond it before they are embedded. */
  async withRoom(pages: readonly ClassifiedVisit[]): Promise<readonly ClassifiedVisit[]> {
    const { siteId, pageQuota } = this.#job;
    if (!this.#isReached || pageQuota === undefined) return pages;
    const state = await this.#table.get<SiteState>(stateKey(siteId));
    let room = pageQuota - (state?.pageCount ?? 0);
    const isBeyond = ({ draft }: ClassifiedVisit) => draft !== undefined && !draft.before && room-- <= 0;
    return pages.map((page) => (isBeyond(page) ? this.leftOut(page) : page));
  }

  leftOut({ visit }: ClassifiedVisit): ClassifiedVisit {
    this.#isReached = true;
    const status = 'status' in visit ? { status: visit.status } : {};
    return { visit, ending: { outcome: 'skipped', reason: 'over_limit', ...status } };
  }
}
