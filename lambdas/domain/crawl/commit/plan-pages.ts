import { chunkPage } from '../../../text/chunking/chunks.ts';
import { countTokens } from '../../../text/chunking/count-tokens.ts';
import { headed } from '../../pages/index-entry.ts';
import { readStoredPages } from '../../pages/stored-page.ts';
import type { PageStore, StoredPage } from '../../ports/page-store.ts';
import type { Change } from '../../ports/table.ts';
import { claimInJob } from '../duplicates/duplicates.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { ClassifiedVisit } from './classify-pages.ts';

/** The counts of a dry run for a page that it does not write. */
export type PagePlan = {
  readonly counter: 'added' | 'changed';
  /** Number of tokens in chunks that have no vector yet. */
  readonly tokens: number;
  /** Claims the text, so that other pages of the run with this text count as duplicates. */
  readonly claim: Change;
};

type PlannedVisit = ClassifiedVisit & { readonly row: undefined; readonly plan?: PagePlan };

/** Plans the pages of a dry run, which may write nothing outside of its job. */
export async function planPages(
  pages: readonly ClassifiedVisit[],
  job: CrawlJob,
  pageStore: PageStore,
): Promise<readonly PlannedVisit[]> {
  const before = pages.flatMap(({ draft, ending }) => (isIndexed(ending) && draft?.before ? [draft.before] : []));
  const stored = await readStoredPages(job, before, pageStore);
  return pages.map(({ visit, ending, draft }) => {
    if (!draft || !isIndexed(ending)) return { visit, ending, row: undefined };
    const known = textsOf(stored.get(draft.row.urlHash));
    const tokens = [...textsOf(draft.page)].filter((text) => !known.has(text)).map(countTokens);
    const plan: PagePlan = {
      counter: draft.before ? 'changed' : 'added',
      tokens: tokens.reduce((sum, count) => sum + count, 0),
      claim: claimInJob(job.jobId, draft.row),
    };
    return { visit, ending, row: undefined, plan };
  });
}

const isIndexed = (ending: ClassifiedVisit['ending']): boolean => 'outcome' in ending && ending.outcome === 'indexed';

const textsOf = (page: StoredPage | undefined): ReadonlySet<string> =>
  new Set(page ? chunkPage(page.blocks).map((chunk) => headed(page.title, chunk)) : []);

/** Returns the amounts to add to the counters of the job. */
export function planCounts(plans: readonly (PagePlan | undefined)[]): Readonly<Record<string, number>> {
  const made = plans.filter((plan) => plan !== undefined);
  if (made.length === 0) return {};
  return {
    added: made.filter(({ counter }) => counter === 'added').length,
    changed: made.filter(({ counter }) => counter === 'changed').length,
    plannedTokens: made.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
