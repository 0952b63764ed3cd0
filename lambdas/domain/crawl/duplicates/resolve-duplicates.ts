import { everyItem } from '../../every-item.ts';
import type { PageIdentity } from '../../pages/page-registry.ts';
import type { CrawlJob } from '../jobs/job.ts';
import { lastTargets } from '../jobs/job-pages.ts';
import type { Slice } from '../jobs/slice.ts';
import { type EndedUrl, type JobUrl, jobUrlKey, outcomePrefix } from '../jobs/url-rows.ts';
import { byPreference, type IsNamed, isBetter, type TextOwner, textOwners } from './duplicates.ts';

/** Number of rows read at once. */
const PART = 500;
const ROWS_PER_WRITE = 99;

export type Duplicate = { readonly row: EndedUrl; readonly urlHash: string; readonly owner: PageIdentity };

export type ResolvedDuplicates = {
  readonly duplicates: readonly Duplicate[];
  /** Duplicates whose text no page owns any more. They are indexed themselves. */
  readonly orphans: readonly EndedUrl[];
  /** For each text, its best duplicate if that is better than the owner. It was visited before the owner. */
  readonly better: readonly EndedUrl[];
};

/**
 * Compares the duplicates that a job found with the present owners of their texts. A duplicate whose target now has
 * another text gets the owner as its target.
 */
export async function resolveDuplicates(slice: Slice, isNamed: IsNamed): Promise<ResolvedDuplicates> {
  const duplicates: Duplicate[] = [];
  const orphans: EndedUrl[] = [];
  const better = new Map<string, EndedUrl & PageIdentity>();
  const bestFirst = byPreference(isNamed);
  for await (const part of duplicatesOf(slice)) {
    const texts = part.map(({ textHash = '' }) => textHash);
    const owners = await textOwners(texts, slice.job, slice.table);
    const targets = await lastTargets(part, slice.job, slice.table);
    const misnamed: { readonly urlHash: string; readonly target: string }[] = [];
    for (const row of part) {
      const { textHash = '', urlHash } = row;
      const owner = owners.get(textHash);
      if (!owner || owner.urlHash === urlHash || isForgotten(owner, slice.job)) {
        orphans.push(row);
        continue;
      }
      duplicates.push({ row, urlHash, owner: { url: owner.url, urlHash: owner.urlHash } });
      if (targets.get(row.url) !== owner.url) misnamed.push({ urlHash, target: owner.url });
      const best = better.get(textHash);
      if (isBetter(row, owner, isNamed) && (!best || bestFirst(row, best) < 0)) better.set(textHash, row);
    }
    await nameTargets(misnamed, slice);
  }
  return { duplicates, orphans, better: [...better.values()] };
}

async function nameTargets(
  misnamed: readonly { readonly urlHash: string; readonly target: string }[],
  slice: Slice,
): Promise<void> {
  const changes = misnamed.map(({ urlHash, target }) => ({
    update: jobUrlKey(slice.job.jobId, urlHash),
    set: { target },
  }));
  for (let from = 0; from < changes.length; from += ROWS_PER_WRITE)
    await slice.write(changes.slice(from, from + ROWS_PER_WRITE));
}

/**
 * Returns whether a crawl of the whole site has not found the page: nothing links to it any more. A URL list does not
 * lead to all pages, so it says nothing about them.
 */
const isForgotten = ({ isUnmet }: TextOwner, { listedBy }: Pick<CrawlJob, 'listedBy'>): boolean =>
  isUnmet === true && listedBy === undefined;

async function* duplicatesOf({ job: { jobId }, table }: Slice) {
  const prefix = outcomePrefix('duplicate', '');
  let hashes: string[] = [];
  const read = async () => {
    const rows = await table.getMany<JobUrl>(hashes.map((hash) => jobUrlKey(jobId, hash)));
    return rows.flatMap((row, index) =>
      row?.outcome === 'duplicate' ? [{ ...(row as EndedUrl), urlHash: hashes[index] ?? '' }] : [],
    );
  };
  for await (const { sk } of everyItem(table, `JOB#${jobId}`, prefix)) {
    hashes.push(sk.slice(prefix.length));
    if (hashes.length < PART) continue;
    yield await read();
    hashes = [];
  }
  yield await read();
}
