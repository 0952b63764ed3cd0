import type { Table } from '../../ports/table.ts';
import { type SiteState, stateKey } from '../../sites/site.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { ClassifiedVisit } from './classify-pages.ts';

/**
 * Leaves new pages out of a site that has as many as its plan includes. The crawl goes on, so that the pages that are
 * there are updated.
 */
export class PageQuota {
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
