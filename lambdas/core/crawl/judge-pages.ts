import { createHash } from 'node:crypto';
import type { Key, Table } from '../../adapters/ports.ts';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import { EXTRACTION_VERSION } from '../content/extraction-version.ts';
import { type PageContent, plainText } from '../content/page-content.ts';
import { pageKey, type RegisteredPage, withoutKey } from '../sites/page-registry.ts';
import { isBetter, type TextOwner, textOwners } from './duplicates.ts';
import type { CrawlJob } from './job.ts';
import type { Ending, NextTry } from './url-rows.ts';
import type { FoundPage, Visit } from './visited.ts';

/** A visit at its end. A page that the site holds comes with its registry row; one that is to be indexed also with its content. */
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
  readonly linksHash: string;
  readonly textHash: string;
};

export type JudgeDeps = {
  readonly table: Table;
  readonly clock: Clock;
  /** The next revision of the site. */
  readonly nextRevision: () => Promise<number>;
};

/**
 * Tells of each page found whether it is new, unchanged, a duplicate of another or one that was ingested. An unchanged page that leads
 * elsewhere than before, or whose text was lost, comes with its content: what is kept of it is read in place of its next answers.
 */
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
  const { visit, contentHash, linksHash, textHash } = page;
  const { queued, status, validators, content } = visit;
  if (row?.source === 'ingest') return { visit, ending: { outcome: 'skipped', reason: 'ingested', status } };
  const owner = owners.get(textHash);
  const isOwn = owner?.urlHash === queued.urlHash || (owner?.isUnsure && queued.standsAlone);
  const another = isOwn ? undefined : owner;
  if (another && !isBetter(queued, another, job))
    return { visit, ending: { outcome: 'duplicate', status, target: another.url, textHash } };
  owners.set(textHash, queued);
  const seen = { visit, isNew: !row?.counted, ...(another && { supplants: another }) };
  const read = { extraction: EXTRACTION_VERSION, ...validators };
  const crawled = { crawledAt: new Date(clock()).toISOString(), lastJobId: job.jobId };
  const isSame = row?.contentHash === contentHash && !row.pending;
  if (isSame && row.linksHash === linksHash && !queued.isUnconditional) {
    const { etag, lastModified, answerHash, ...before } = withoutKey(row);
    return { ...seen, ending: { outcome: 'unchanged', status }, row: { ...before, ...read, ...crawled } };
  }
  const indexed = {
    ...registryRow(page),
    ...read,
    ...(row?.counted && { counted: true }),
    revision: await nextRevision(),
    indexedAt: epochSeconds(clock),
    ...crawled,
  };
  const replaced = row ? { replaces: row.revision } : {};
  const outcome = isSame ? 'unchanged' : 'indexed';
  return { ...seen, ...replaced, ending: { outcome, status }, row: indexed, content };
}

function registryRow({ visit: { content, queued }, contentHash, linksHash, textHash }: HashedPage) {
  return {
    url: queued.url,
    urlHash: queued.urlHash,
    title: content.title,
    tags: content.tags,
    ...(content.description !== undefined && { summary: content.description }),
    ...(content.publishedAt !== undefined && { publishedAt: content.publishedAt }),
    source: 'crawl' as const,
    contentHash,
    linksHash,
    textHash,
    chunks: 0,
  };
}

function hashedPage(visit: Visit & FoundPage): HashedPage {
  const { links, refresh, ...indexed } = visit.content;
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    visit,
    contentHash: sha256(JSON.stringify([EXTRACTION_VERSION, indexed])),
    linksHash: sha256(JSON.stringify([links, refresh])),
    textHash: sha256(plainText(visit.content)),
  };
}
