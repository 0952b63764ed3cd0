import type { CrawlJob } from '../../lambdas/domain/crawl/jobs/job.ts';
import { PARTS, type ReviewPart, reviewParts } from '../../lambdas/domain/crawl/reviews/review.ts';
import type { RegisteredPage } from '../../lambdas/domain/pages/page-registry.ts';
import { keyOf } from '../../lambdas/domain/ports/rules/table-limits.ts';
import type { Change } from '../../lambdas/domain/ports/table.ts';
import type { TableState } from '../support/memory/table.ts';
import { fateOf } from './page-fate.ts';
import type { SimulatedSite } from './simulated-site.ts';
import { ORIGIN } from './site-plan.ts';

type RemovalGuardDeps = {
  readonly state: TableState;
  readonly site: SimulatedSite;
  readonly now: () => number;
  readonly beganAt: (jobId: string) => number;
  readonly report: (violation: string) => void;
};

/** Checks each removal of a page that a crawl or a sweep has found gone: no page is removed that answers. */
export class RemovalGuard {
  readonly #deps: RemovalGuardDeps;

  constructor(deps: RemovalGuardDeps) {
    this.#deps = deps;
  }

  /** `job` is the one that the writer works on. A crawl that replaces the owner of a text removes pages that answer. */
  watch(changes: readonly Change[], job: CrawlJob | undefined): void {
    if (job?.phase === undefined) return;
    for (const change of changes)
      if ('update' in change && change.set?.removing === true) {
        const row = this.#deps.state.get(keyOf(change)) as unknown as RegisteredPage | undefined;
        if (row) this.#check(row, job);
      }
  }

  #isListedDuplicate(url: string, reviewId: string): boolean {
    const parts = this.#deps.state.under(reviewParts(reviewId), PARTS) as unknown as readonly ReviewPart[];
    return parts.some(({ pages }) => pages.some((page) => page.url === url && page.reason === 'duplicate'));
  }

  #check({ url, source }: RegisteredPage, { jobId, phase }: CrawlJob): void {
    const { site, now, beganAt, report } = this.#deps;
    if (phase === 'sweep' && this.#isListedDuplicate(url, jobId)) return; // by the text that the crawl has seen
    if (source !== 'crawl') report(`${jobId} removes ${url}, which was ingested`);
    const since = Math.max(beganAt(jobId), site.lastFetch(url) ?? 0);
    const plans = site.plansBetween(since, now());
    if (plans.every((plan) => fateOf(url.slice(ORIGIN.length), plan) === 'alive'))
      report(`${jobId} (${phase}) removes ${url}, which answers`);
  }
}
