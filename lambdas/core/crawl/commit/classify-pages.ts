import { hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { EXTRACTION_VERSION } from '../../content/extraction/extraction-version.ts';
import { type PageContent, plainText } from '../../content/page-content.ts';
import { pageKey, type RegisteredPage, withoutKey } from '../../pages/page-registry.ts';
import type { Key, Table } from '../../ports/table.ts';
import type { FoundPage, Visit } from '../fetch/visit-result.ts';
import type { Ending, NextTry } from '../frontier/frontier-rows.ts';
import type { CrawlJob } from '../job/job.ts';
import { isBetter, type TextOwner, textOwners } from './duplicates.ts';

/**
 * A visit at its end. A page that the site holds comes with its registry row; one whose text is to be stored also with its content: one
 * that is to be indexed, and an unchanged one whose links are others than those that are stored, or whose text was lost.
 */
export type Settled = {
  readonly visit: Visit;
  readonly ending: Ending | NextTry;
  readonly row?: RegisteredPage;
  readonly content?: PageContent;
  /** Not in the site's page count yet. */
  readonly isNew?: boolean;
  /** The revision whose text is no longer needed. */
  readonly replaces?: number;
  /** The page that had its text, and was indexed, and is worse. */
  readonly supplants?: TextOwner;
};

type HashedPage = {
  readonly visit: Visit & FoundPage;
  readonly contentHash: string;
  readonly textHash: string;
  readonly linksHash: string;
};

export type JudgeDeps = {
  readonly table: Table;
  readonly clock: Clock;
  /** The next revision of the site. */
  readonly nextRevision: () => Promise<number>;
};

/** Tells of each page found whether it is new, unchanged, a duplicate of another or one that was ingested. */
export async function judgePages(
  visits: readonly Visit[],
  job: CrawlJob,
  deps: JudgeDeps,
): Promise<readonly Settled[]> {
  const pages = visits.flatMap((visit) => ('content' in visit ? [hashedPage(visit)] : [])).sort(bestFirst);
  const keys = pages.map(({ visit }) => pageKey(job.siteId, job.generation, visit.queued));
  const hashes = pages.map(({ textHash }) => textHash);
  const [rows, owners] = await Promise.all([
    deps.table.getMany<RegisteredPage>(keys),
    textOwners(hashes, job, deps.table),
  ]);
  const judged = new Map<Visit, Settled>();
  for (const [place, page] of pages.entries())
    judged.set(page.visit, await judgePage(page, rows[place], owners, job, deps));
  return visits.flatMap((visit): readonly Settled[] => {
    const page = judged.get(visit);
    if (page) return [page];
    if ('ending' in visit) return [{ visit, ending: visit.ending }];
    return 'next' in visit ? [{ visit, ending: visit.next }] : [];
  });
}

const bestFirst = ({ visit: { queued: a } }: HashedPage, { visit: { queued: b } }: HashedPage): number =>
  a.depth - b.depth || (a.url < b.url ? -1 : 1);

async function judgePage(
  page: HashedPage,
  row: (RegisteredPage & Key) | undefined,
  owners: Map<string, TextOwner>,
  job: CrawlJob,
  { clock, nextRevision }: JudgeDeps,
): Promise<Settled> {
  const { visit, contentHash, textHash, linksHash } = page;
  const { queued, status, validators, content } = visit;
  if (row?.source === 'ingest') return { visit, ending: { outcome: 'skipped', reason: 'ingested', status } };
  const owner = owners.get(textHash);
  const isOwn = owner?.urlHash === queued.urlHash || (owner?.isUnsure && queued.isOrphaned);
  const another = isOwn ? undefined : owner;
  if (another && !isBetter(queued, another, job))
    return { visit, ending: { outcome: 'duplicate', status, target: another.url, textHash } };
  owners.set(textHash, queued);
  const seen = { visit, isNew: !row?.counted, ...(another && { supplants: another }) };
  const read = { extraction: EXTRACTION_VERSION, ...validators };
  const crawled = { crawledAt: new Date(clock()).toISOString(), lastJobId: job.jobId };
  const replaced = row ? { replaces: row.revision } : {};
  if (row?.contentHash === contentHash && !row.pending) {
    const { etag, lastModified, answerHash, ...before } = withoutKey(row);
    const unchanged = { ...before, ...read, ...crawled };
    const ending = { outcome: 'unchanged', status } as const;
    if (isStored(page, row)) return { ...seen, ending, row: unchanged };
    // Next time the server may say that nothing has changed, and the links are read from the store.
    return { ...seen, ...replaced, ending, row: { ...unchanged, linksHash, revision: await nextRevision() }, content };
  }
  const indexed = {
    ...registryRow(page),
    ...read,
    ...(row?.counted && { counted: true }),
    revision: await nextRevision(),
    indexedAt: epochSeconds(clock),
    ...crawled,
  };
  return { ...seen, ...replaced, ending: { outcome: 'indexed', status }, row: indexed, content };
}

/** Of a page whose content is as before: whether the store has its links too, and has not lost it. */
const isStored = ({ linksHash, visit }: HashedPage, row: RegisteredPage): boolean =>
  row.linksHash === linksHash && !visit.queued.isUnconditional;

function registryRow({ visit: { content, queued }, contentHash, textHash, linksHash }: HashedPage) {
  return {
    url: queued.url,
    urlHash: queued.urlHash,
    title: content.title,
    tags: content.tags,
    ...(content.description !== undefined && { summary: content.description }),
    ...(content.publishedAt !== undefined && { publishedAt: content.publishedAt }),
    source: 'crawl' as const,
    contentHash,
    textHash,
    linksHash,
    chunks: 0,
  };
}

const sha256 = (text: string): string => hash('sha256', text, 'hex');

function hashedPage(visit: Visit & FoundPage): HashedPage {
  const { links, refresh, ...indexed } = visit.content;
  return {
    visit,
    contentHash: sha256(JSON.stringify([EXTRACTION_VERSION, indexed])),
    textHash: sha256(plainText(visit.content)),
    linksHash: sha256(JSON.stringify([links, refresh])),
  };
}
