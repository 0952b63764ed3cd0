import { BANDS, bandOf, NEAR_DUPLICATE, readFingerprint, similarity } from '../../../text/fingerprint.ts';
import { everyItem } from '../../every-item.ts';
import type { Change } from '../../ports/table.ts';
import type { Slice } from '../jobs/slice.ts';
import { type JobUrl, jobUrlKey, URLS } from '../jobs/url-rows.ts';
import { byPreference } from './duplicates.ts';

const ROWS_PER_WRITE = 99;

type Page = {
  readonly url: string;
  readonly urlHash: string;
  readonly depth: number;
  readonly isNamed: boolean;
  readonly fingerprint: Uint8Array;
  /** The original that an earlier call reported. */
  readonly nearDuplicateOf: string | undefined;
};

/**
 * Records, for each page of the job with almost the same text as another, the one that a person would prefer. All of
 * them stay indexed. May be repeated.
 */
export async function reportNearDuplicates(slice: Slice): Promise<void> {
  const { job } = slice;
  const pages = await fingerprintedPages(job.jobId, slice);
  const originals = originalsOf(pages);
  const changes = pages.flatMap((page): readonly Change[] => {
    const nearDuplicateOf = originals.get(page)?.url;
    if (nearDuplicateOf === page.nearDuplicateOf) return [];
    const update = jobUrlKey(job.jobId, page.urlHash);
    return [
      nearDuplicateOf === undefined ? { update, unset: ['nearDuplicateOf'] } : { update, set: { nearDuplicateOf } },
    ];
  });
  for (let from = 0; from < changes.length; from += ROWS_PER_WRITE)
    await slice.write(changes.slice(from, from + ROWS_PER_WRITE));
  if (originals.size !== (job.nearDuplicates ?? 0)) await slice.write([], { set: { nearDuplicates: originals.size } });
}

async function fingerprintedPages(jobId: string, { table }: Slice): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for await (const row of everyItem<JobUrl>(table, `JOB#${jobId}`, URLS)) {
    const { url, depth, outcome, isNamed = false, fingerprint, nearDuplicateOf, sk } = row;
    if (fingerprint === undefined || !(outcome === 'indexed' || outcome === 'unchanged')) continue;
    const urlHash = sk.slice(URLS.length);
    pages.push({ url, urlHash, depth, isNamed, fingerprint: readFingerprint(fingerprint), nearDuplicateOf });
  }
  const named = new Set(pages.flatMap(({ isNamed, urlHash }) => (isNamed ? urlHash : [])));
  return pages.sort(byPreference((hash) => named.has(hash)));
}

/**
 * Returns for each page, given best first, the best page that it nearly equals. Takes linear time and one map at a
 * time.
 */
function originalsOf(pages: readonly Page[]): ReadonlyMap<Page, Page> {
  const originals = new Map<Page, Page>();
  for (let band = 0; band < BANDS; band++) {
    const firstWith = new Map<number, Page>();
    for (const page of pages) {
      const bits = bandOf(page.fingerprint, band);
      const other = firstWith.get(bits);
      if (!other) firstWith.set(bits, page);
      else if (!originals.has(page) && isSimilar(other, page)) originals.set(page, other);
    }
  }
  for (const [page, original] of originals) {
    const better = originals.get(original);
    if (better && isSimilar(better, page)) originals.set(page, better);
  }
  return originals;
}

const isSimilar = (a: Page, b: Page): boolean => similarity(a.fingerprint, b.fingerprint) >= NEAR_DUPLICATE;
