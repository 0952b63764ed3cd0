import { steadyClock } from '../../clock.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import { type SiteState, stateKey } from '../../sites/site.ts';
import { siteStatus } from '../../sites/site-status.ts';
import { type RegisteredPage, readRows } from '../page-registry.ts';
import { type PageDeps, reserveRevisions } from '../page-writer.ts';
import { MAX_REMOVED, type RemovalRequest, removePages } from '../remove-pages.ts';

/** Shorter than the 29 s for which the edge waits for an answer. */
const TIME_MS = 24_000;
/** Maximum number of attempts to delete a page that other writers keep changing. */
const ATTEMPTS = 10;

/** Runs one request to delete pages, and records what was deleted and whether the time was enough. */
export class Deletion {
  readonly #deps: PageDeps;
  readonly #remover: RemovalRequest & { readonly reserve: (count: number) => Promise<number | undefined> };
  readonly #deadline: number;
  #deletedPages = 0;
  #deletedChunks = 0;
  #isLate = false;
  /** Whether other writers kept changing a page during its deletion. */
  #isOvertaken = false;
  /** Whether the site was purged or deleted, and its pages with it. */
  #isRevoked = false;

  constructor(site: SiteScope, deps: PageDeps) {
    this.#deps = { ...deps, clock: steadyClock(deps.clock) };
    const reserve = (count: number) => reserveRevisions(site, count, deps.table);
    this.#remover = { site, reserve, visible: 'soon' };
    this.#deadline = this.#deps.clock() + TIME_MS;
  }

  /** Deletes the pages part by part. A page that is written at the same time is deleted if its new row also matches. */
  async delete(
    parts: AsyncIterable<readonly RegisteredPage[]>,
    matches: (row: RegisteredPage) => boolean,
  ): Promise<void> {
    if (this.#mustStop()) return;
    for await (const rows of parts) {
      for (let start = 0; start < rows.length && !this.#mustStop(); start += MAX_REMOVED)
        await this.#deleteBatch(rows.slice(start, start + MAX_REMOVED), matches);
      if (this.#mustStop()) return;
    }
  }

  /** Whether time ran out and all pages before the present position are deleted. */
  get stopsCleanly(): boolean {
    return this.#isLate && !this.#isOvertaken && !this.#isRevoked;
  }

  /** Makes the deletions visible to every search, once for all batches. */
  async end() {
    if (this.#deletedPages > 0) {
      await this.#deps.pageIndex.refresh();
      await this.#forgetFailedCrawl();
    }
    const complete = this.#isRevoked || !(this.#isLate || this.#isOvertaken);
    return { deletedPages: this.#deletedPages, deletedChunks: this.#deletedChunks, complete };
  }

  /** Forgets a failed crawl of a site without pages: a site emptied by a deletion is pending. */
  async #forgetFailedCrawl(): Promise<void> {
    const key = stateKey(this.#remover.site.siteId);
    const state = await this.#deps.table.get<SiteState>(key);
    if (state?.pageCount !== 0 || siteStatus(state) !== 'error') return;
    const { generation } = this.#remover.site;
    const when = { exists: true, equals: { generation, pageCount: 0, runningJobId: null } };
    await this.#deps.table.update(key, { unset: ['lastCrawl'], when });
  }

  #mustStop(): boolean {
    this.#isLate ||= this.#deps.clock() >= this.#deadline;
    return this.#isLate || this.#isRevoked;
  }

  async #deleteBatch(rows: readonly RegisteredPage[], matches: (row: RegisteredPage) => boolean): Promise<void> {
    let left = rows;
    for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
      const results = await removePages(left, this.#remover, this.#deps);
      for (const result of results.values()) {
        if (typeof result !== 'object') continue;
        this.#deletedPages++;
        this.#deletedChunks += result.chunks;
      }
      if ([...results.values()].includes('revoked')) {
        this.#isRevoked = true;
        return;
      }
      const overtaken = left.filter((row) => results.get(row) === 'overtaken');
      left = [...(await readRows(this.#remover.site, overtaken, this.#deps.table)).values()].filter(matches);
    }
    if (left.length > 0) this.#isOvertaken = true;
  }
}
