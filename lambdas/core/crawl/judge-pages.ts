import { createHash } from 'node:crypto';
import type { Key, Table } from '../../adapters/ports.ts';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import { type PageContent, plainText } from '../content/page-content.ts';
import { pageKey, type RegisteredPage, textKey, withoutKey } from '../sites/page-registry.ts';
import type { Ending, QueuedUrl } from './frontier.ts';
import type { CrawlJob } from './job.ts';
import type { Visit } from './visit.ts';

/** Raised when extraction or chunking changes, so that every page is indexed anew. */
const EXTRACTION_VERSION = 1;

/** A visit at its end. A page that the site holds comes with its registry row; one that is to be indexed also with its content. */
export type Settled = {
  readonly visit: Visit;
  readonly ending: Ending;
  readonly row?: RegisteredPage;
  readonly content?: PageContent;
  /** Not in the site's page count yet. */
  readonly isNew?: boolean;
  /** The revision whose text is no longer needed. */
  readonly replaces?: number;
};

type FoundPage = {
  readonly visit: Visit & { readonly content: PageContent };
  readonly contentHash: string;
  readonly textHash: string;
};

type TextOwner = Pick<QueuedUrl, 'url' | 'urlHash'>;

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
  const pages = visits.flatMap((visit) => ('content' in visit ? [foundPage(visit)] : []));
  const keys = pages.map(({ visit }) => pageKey(job.siteId, job.generation, visit.queued));
  const rows = await deps.table.getMany<RegisteredPage>(keys);
  const owners = await textOwners(pages, job, deps.table);
  const judged = new Map<Visit, Settled>();
  for (const [place, page] of pages.entries())
    judged.set(page.visit, await judgePage(page, rows[place], owners, job, deps));
  return visits.flatMap((visit): readonly Settled[] => {
    const page = judged.get(visit) ?? ('ending' in visit ? { visit, ending: visit.ending } : undefined);
    return page ? [page] : [];
  });
}

async function judgePage(
  page: FoundPage,
  row: (RegisteredPage & Key) | undefined,
  owners: Map<string, TextOwner>,
  job: CrawlJob,
  { clock, nextRevision }: JudgeDeps,
): Promise<Settled> {
  const { visit, contentHash, textHash } = page;
  if (row?.source === 'ingest') return { visit, ending: { outcome: 'skipped', reason: 'ingested', status: 200 } };
  const owner = owners.get(textHash);
  if (owner && owner.urlHash !== visit.queued.urlHash) {
    return { visit, ending: { outcome: 'duplicate', status: 200, target: owner.url } };
  }
  owners.set(textHash, visit.queued);
  const seen = { visit, isNew: !row?.counted };
  const crawled = { crawledAt: new Date(clock()).toISOString(), lastJobId: job.jobId };
  if (row?.contentHash === contentHash && !row.pending) {
    return { ...seen, ending: { outcome: 'unchanged', status: 200 }, row: { ...withoutKey(row), ...crawled } };
  }
  const indexed = {
    ...registryRow(page),
    ...(row?.counted && { counted: true }),
    revision: await nextRevision(),
    indexedAt: epochSeconds(clock),
    ...crawled,
  };
  const replaced = row ? { replaces: row.revision } : {};
  return { ...seen, ...replaced, ending: { outcome: 'indexed', status: 200 }, row: indexed, content: visit.content };
}

function registryRow({ visit: { content, queued }, contentHash, textHash }: FoundPage) {
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
    chunks: 0,
  };
}

function foundPage(visit: Visit & { readonly content: PageContent }): FoundPage {
  const { links, refresh, ...indexed } = visit.content;
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    visit,
    contentHash: sha256(JSON.stringify([EXTRACTION_VERSION, indexed])),
    textHash: sha256(plainText(visit.content)),
  };
}

/** Which page of the site has a text, as far as that page still has it. */
async function textOwners(
  pages: readonly FoundPage[],
  { siteId, generation }: CrawlJob,
  table: Table,
): Promise<Map<string, TextOwner>> {
  const hashes = [...new Set(pages.map(({ textHash }) => textHash))];
  const claims = await table.getMany<TextOwner>(hashes.map((hash) => textKey(siteId, generation, hash)));
  const claimed = hashes.flatMap((textHash, place) => {
    const owner = claims[place];
    return owner ? [{ textHash, owner }] : [];
  });
  const rows = await table.getMany<RegisteredPage>(claimed.map(({ owner }) => pageKey(siteId, generation, owner)));
  return new Map(
    claimed
      .filter(({ textHash }, place) => rows[place]?.textHash === textHash)
      .map(({ textHash, owner }) => [textHash, owner]),
  );
}
