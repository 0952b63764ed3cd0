import { urlHash } from '../../../text/web/url.ts';
import { epochSeconds } from '../../clock.ts';
import { everyItem } from '../../every-item.ts';
import { type AliasItem, aliasKey, aliasPrefix, boundedAliases, isSame } from '../../pages/aliases.ts';
import { type PageIdentity, type RegisteredPage, readRows } from '../../pages/page-registry.ts';
import type { PageDraft } from '../../pages/page-writer.ts';
import { readStoredPages } from '../../pages/stored-page.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { Change, Table } from '../../ports/table.ts';
import type { ResolvedDuplicates } from '../duplicates/resolve-duplicates.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { Slice } from '../jobs/slice.ts';
import { type JobUrl, jobUrlKey } from '../jobs/url-rows.ts';
import type { Crawl } from '../open-crawl.ts';
import { PAGES_PER_COMMIT, rewritePages } from './write-batch.ts';

const ROWS_PER_PART = 500;
const ITEMS_PER_WRITE = 99;

type OwnedAlias = AliasItem & { readonly urlHash: string };

/**
 * Writes the aliases that a job found to their pages: once a job, so that a page with 1,000 aliases is written once.
 * Pages whose aliases are unchanged are not written. May be repeated. Returns false if time ran out; the next slice
 * continues.
 */
export async function settleAliases(
  { duplicates }: Pick<ResolvedDuplicates, 'duplicates'>,
  { isComplete }: { readonly isComplete: boolean },
  crawl: Crawl,
): Promise<boolean> {
  const { slice } = crawl;
  const { job, table } = slice;
  const found = new Map(
    duplicates.map(({ row: { url }, urlHash: hash, owner }): [string, OwnedAlias] => [
      hash,
      { url, urlHash: hash, owner },
    ]),
  );
  const before = await knownAliases(job, table);
  const kept = await stillAliases(
    before.filter((alias) => !found.has(alias.urlHash)),
    isComplete,
    slice,
  );
  const now = [...found.values(), ...kept];
  const known = new Map(before.map((alias) => [alias.urlHash, alias]));
  const added = now
    .filter((alias) => known.get(alias.urlHash)?.owner.urlHash !== alias.owner.urlHash)
    .map((alias) => withFormer(alias, known.get(alias.urlHash)));
  await writeAll(added.map(aliasItem(job)), slice);
  if (!(await writeOwners({ before, now }, crawl))) return false;
  const left = new Set(now.map((alias) => alias.urlHash));
  const gone = before.filter((alias) => !left.has(alias.urlHash));
  const changed = new Set([...before, ...added].flatMap(({ urlHash: hash, former }) => (former ? hash : [])));
  await writeAll(
    [
      ...gone.map((alias) => ({ remove: aliasKey(job, alias.urlHash) })),
      ...now.filter(({ urlHash: hash }) => changed.has(hash)).map(({ former, ...alias }) => aliasItem(job)(alias)),
    ],
    slice,
  );
  return true;
}

/** Adds the former owner to the item until that owner's row is written, because a worker may die in between. */
const withFormer = (alias: OwnedAlias, before: OwnedAlias | undefined): OwnedAlias =>
  before ? { ...alias, former: [...(before.former ?? []), before.owner] } : alias;

const aliasItem =
  (site: SiteScope) =>
  ({ url, urlHash: hash, owner, former }: OwnedAlias): Change => ({
    put: { ...aliasKey(site, hash), url, owner: identity(owner), ...(former && { former: former.map(identity) }) },
  });

const identity = ({ url, urlHash: hash }: PageIdentity): PageIdentity => ({ url, urlHash: hash });

async function knownAliases({ siteId, generation }: CrawlJob, table: Table): Promise<readonly OwnedAlias[]> {
  const aliases: OwnedAlias[] = [];
  for await (const { url, owner, former } of everyItem<AliasItem>(table, `SITE#${siteId}`, aliasPrefix(generation)))
    aliases.push({ url, urlHash: urlHash(url), owner, ...(former && { former }) });
  return aliases;
}

/**
 * Returns the aliases that remain: those whose URL failed, and, in a job that does not visit all URLs, those not
 * visited.
 */
async function stillAliases(
  aliases: readonly OwnedAlias[],
  isComplete: boolean,
  { job: { jobId }, table }: Slice,
): Promise<readonly OwnedAlias[]> {
  const rows = await table.getMany<JobUrl>(aliases.map((alias) => jobUrlKey(jobId, alias.urlHash)));
  return aliases.filter((_, index) => {
    const outcome = rows[index]?.outcome;
    return outcome === 'failed' || (outcome === undefined && !isComplete);
  });
}

async function writeAll(changes: readonly Change[], slice: Slice): Promise<void> {
  for (let from = 0; from < changes.length; from += ITEMS_PER_WRITE)
    await slice.write(changes.slice(from, from + ITEMS_PER_WRITE));
}

async function writeOwners(
  { before, now }: { readonly before: readonly OwnedAlias[]; readonly now: readonly OwnedAlias[] },
  crawl: Crawl,
): Promise<boolean> {
  const { job, table, clock, deadline, halt } = crawl.slice;
  const urlsOf = Map.groupBy(now, ({ owner }) => owner.urlHash);
  const concerned = [...before, ...now].flatMap(({ owner, former = [] }) => [owner, ...former]);
  const owners = [...new Map(concerned.map((page) => [page.urlHash, page])).values()];
  const aliasesOf = (row: RegisteredPage) => boundedAliases((urlsOf.get(row.urlHash) ?? []).map(({ url }) => url));
  for (let from = 0; from < owners.length; from += ROWS_PER_PART) {
    const rows = [...(await readRows(job, owners.slice(from, from + ROWS_PER_PART), table)).values()];
    const changed = rows.filter((row) => !row.removing && !isSame(row.aliases, aliasesOf(row)));
    for (let first = 0; first < changed.length; first += PAGES_PER_COMMIT) {
      if (clock() >= deadline || halt.aborted) return false;
      const part = changed.slice(first, first + PAGES_PER_COMMIT);
      const pages = await readStoredPages(job, part, crawl.pageStore);
      const drafts = part.flatMap((row): readonly PageDraft[] => {
        const page = pages.get(row.urlHash);
        return page ? [{ ...rowDraft(row, aliasesOf(row), epochSeconds(clock)), page }] : [];
      });
      await rewritePages(drafts, crawl);
    }
  }
  return true;
}

function rowDraft(before: RegisteredPage, aliases: RegisteredPage['aliases'], indexedAt: number) {
  const { revision, chunks, pending, removing, unembedded, aliases: _, ...row } = before;
  return { before, row: { ...row, indexedAt, ...(aliases && { aliases }) } };
}
