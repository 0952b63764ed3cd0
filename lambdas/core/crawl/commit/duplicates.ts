import { everyItem } from '../../every-item.ts';
import { pageKey, type RegisteredPage, textKey, withoutKey } from '../../pages/page-registry.ts';
import type { PageIndex } from '../../ports/page-index.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Change, Table } from '../../ports/table.ts';
import { stateKey } from '../../sites/site.ts';
import { demoteChanges, type Ending, type JobUrl, jobUrlKey, type QueuedUrl } from '../frontier/frontier-rows.ts';
import { type CrawlJob, jobKey } from '../job/job.ts';
import { holdsLease, writeUnderLease } from '../job/slice.ts';

/** Says which page of the site has a text, and where the job named here has met it. */
type TextClaim = Pick<RegisteredPage, 'url' | 'urlHash'> & { readonly jobId?: string; readonly depth?: number };

/** The page that has a text; `held` is there if it has come to its end in this job. */
export type TextOwner = TextClaim & {
  readonly held?: { readonly row: RegisteredPage; readonly was: Ending };
  /** The job has not met it or asks for it once more, so it may not be there, or have another text by now. */
  readonly isUnsure?: boolean;
};

type Site = Pick<CrawlJob, 'siteId' | 'generation' | 'jobId'>;

/** The change by which a page claims its text, so that another page with the same one is told to be its duplicate. */
export const claimText = (
  { siteId, generation, jobId }: Site,
  { textHash, url, urlHash }: RegisteredPage,
  { depth }: Pick<QueuedUrl, 'depth'>,
): Change => ({ put: { ...textKey(siteId, generation, textHash), url, urlHash, jobId, depth } });

/** Which pages of the site have these texts, as far as they still have them. */
export async function textOwners(
  textHashes: readonly string[],
  { siteId, generation, jobId }: Site,
  table: Table,
): Promise<Map<string, TextOwner>> {
  const hashes = [...new Set(textHashes)];
  const claims = await table.getMany<TextClaim>(hashes.map((hash) => textKey(siteId, generation, hash)));
  const claimed = hashes.flatMap((textHash, place) => {
    const claim = claims[place];
    return claim ? [{ textHash, claim }] : [];
  });
  const [rows, met] = await Promise.all([
    table.getMany<RegisteredPage>(claimed.map(({ claim }) => pageKey(siteId, generation, claim))),
    table.getMany<JobUrl>(claimed.map(({ claim }) => jobUrlKey(jobId, claim.urlHash))),
  ]);
  return new Map(
    claimed.flatMap(({ textHash, claim }, place) => {
      const row = rows[place];
      const end = met[place];
      if (!row || !hasText(textHash, row, end)) return [];
      const isHeld =
        row.source === 'crawl' && !row.pending && (end?.outcome === 'indexed' || end?.outcome === 'unchanged');
      const isUnsure = row.source === 'crawl' && end?.outcome === undefined;
      return [
        [
          textHash,
          { ...claim, isUnsure, ...(isHeld && { held: { row: withoutKey(row), was: end as Ending } }) },
        ] as const,
      ];
    }),
  );
}

/** Whether a page has a text: by its row, unless this job has seen that it is not there any more, or left it to another. */
export const hasText = (textHash: string, row: RegisteredPage, met: JobUrl | undefined): boolean =>
  row.textHash === textHash && (row.source === 'ingest' || met?.outcome === undefined || KEEPS.has(met.outcome));
const KEEPS: ReadonlySet<string> = new Set(['indexed', 'unchanged', 'failed']);

/** Of pages with one text the shallowest stands for all, of equally deep ones the one with the smaller URL. */
export function isBetter(page: QueuedUrl, owner: TextOwner, { jobId }: Site): boolean {
  if (owner.held === undefined || owner.jobId !== jobId || owner.depth === undefined) return false;
  return page.depth < owner.depth || (page.depth === owner.depth && page.url < owner.url);
}

type Demotion = { readonly row: RegisteredPage; readonly was: Ending; readonly target: string };

const DEMOTIONS = 'DEMOTE#';

/**
 * The changes by which a page that was indexed begins to become the duplicate of a better one, in the write that indexes that one. Until
 * `finishDemotions` its row is pending, so that whoever finds it would index it anew.
 */
export function beginDemotion(
  { held }: TextOwner,
  target: string,
  { siteId, generation, jobId }: Site,
): readonly Change[] {
  if (!held) return [];
  const { row, was } = held;
  const demotion: Demotion = { row, was: { outcome: was.outcome, ...statusOf(was) }, target };
  return [
    { put: { pk: `JOB#${jobId}`, sk: DEMOTIONS + row.urlHash, ...demotion } },
    {
      update: pageKey(siteId, generation, row),
      set: { pending: true },
      when: { equals: { source: 'crawl', revision: row.revision } },
    },
  ];
}

const statusOf = ({ status }: Ending) => (status === undefined ? {} : { status });

/** Takes the pages out of index, registry and store whose demotion was begun, by this holder or another. */
export async function finishDemotions(
  job: CrawlJob,
  {
    table,
    pageIndex,
    pageStore,
  }: { readonly table: Table; readonly pageIndex: PageIndex; readonly pageStore: PageStore },
): Promise<void> {
  const { siteId, generation, jobId } = job;
  for await (const { pk, sk, row, was, target } of everyItem<Demotion>(table, `JOB#${jobId}`, DEMOTIONS)) {
    const page = { siteId, generation, urlHash: row.urlHash, revision: row.revision };
    await pageIndex.remove([page], { visible: 'soon' });
    await writeUnderLease(
      [
        { update: jobKey(jobId), add: { [was.outcome]: -1, duplicate: 1 }, when: holdsLease(job) },
        { remove: { pk, sk }, when: { exists: true } },
        ...demoteChanges(jobId, row, was, target),
        { remove: pageKey(siteId, generation, row), when: { equals: { source: 'crawl', revision: row.revision } } },
        { update: stateKey(siteId), add: { pageCount: row.counted ? -1 : 0 } },
      ],
      table,
    );
    await pageStore.remove([page]);
  }
}
