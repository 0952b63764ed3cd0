import { defined } from '../../../text/defined.ts';
import { selectionVersion } from '../../../text/extraction/content-selection.ts';
import { EXTRACTION_VERSION } from '../../../text/extraction/extraction-version.ts';
import type { SourcedFields } from '../../../text/fields/field-source.ts';
import { filledFields, type Metadata, withGiven } from '../../../text/fields/filled-fields.ts';
import { fingerprintOf } from '../../../text/fingerprint.ts';
import { type PageContent, plainText } from '../../../text/page-content.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { contentHashOf, linksHashOf, textHashOf } from '../../pages/page-hashes.ts';
import { type RegisteredPage, readRows } from '../../pages/page-registry.ts';
import type { PageDraft } from '../../pages/page-writer.ts';
import {
  byPreference,
  claimText,
  type IsNamed,
  isBetter,
  type TextOwner,
  textOwners,
} from '../duplicates/duplicates.ts';
import type { FoundPage, Visit } from '../fetch/visit-result.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { Ending, NextTry } from '../jobs/url-rows.ts';
import type { Crawl } from '../open-crawl.ts';

/** A visit, the outcome or next try of its URL, and the writes that follow for its page. */
export type ClassifiedVisit = {
  readonly visit: Visit;
  readonly ending: Ending | NextTry;
  /** The new row of an unchanged page of which only the time and the validators differ. */
  readonly confirmed?: RegisteredPage;
  /** A page to index, or an unchanged page whose links changed or whose stored text was lost. */
  readonly draft?: PageDraft;
  /** Whether the page owns its text, or will own it once its draft is registered. */
  readonly claimed?: boolean;
  /** The previous owner of the text, which becomes a duplicate of this page. */
  readonly replacedOwner?: TextOwner;
};

type HashedPage = {
  readonly visit: Visit & FoundPage;
  readonly metadata: Metadata | undefined;
  readonly contentHash: string;
  readonly textHash: string;
  readonly linksHash: string;
};

type Classifying = {
  readonly job: CrawlJob;
  readonly clock: Clock;
  readonly fields: SourcedFields;
  readonly isNamed: IsNamed;
};

/** Classifies each fetched page as new, changed, unchanged, a duplicate, or ingested. */
export async function classifyPages(
  visits: readonly Visit[],
  { slice: { job, table, clock }, rules: { fields }, frontier }: Crawl,
): Promise<readonly ClassifiedVisit[]> {
  const isNamed = (hash: string) => frontier.isNamed(hash);
  const pages = visits.flatMap((visit) => ('content' in visit ? [hashedPage(visit, fields)] : []));
  const bestFirst = byPreference(isNamed);
  pages.sort((a, b) => bestFirst(a.visit.queued, b.visit.queued));
  const queued = pages.map(({ visit }) => visit.queued);
  const hashes = pages.map(({ textHash }) => textHash);
  const [rows, owners] = await Promise.all([readRows(job, queued, table), textOwners(hashes, job, table)]);
  const classified = new Map<Visit, ClassifiedVisit>();
  for (const page of pages)
    classified.set(
      page.visit,
      classifyPage(page, rows.get(page.visit.queued.urlHash), owners, { job, clock, fields, isNamed }),
    );
  return visits.flatMap((visit): readonly ClassifiedVisit[] => {
    const page = classified.get(visit);
    if (page) return [page];
    if ('ending' in visit) return [{ visit, ending: visit.ending }];
    return 'next' in visit ? [{ visit, ending: visit.next }] : [];
  });
}

/** Returns the hashes of the present and previous texts of the pages. */
export const textsOf = (visits: readonly ClassifiedVisit[]): readonly string[] =>
  visits.flatMap(({ ending, draft, confirmed }) => [
    ...('outcome' in ending && ending.textHash !== undefined ? [ending.textHash] : []),
    ...[draft?.row, draft?.before, confirmed].flatMap((row) => row?.textHash ?? []),
  ]);

function classifyPage(
  page: HashedPage,
  before: RegisteredPage | undefined,
  owners: Map<string, TextOwner>,
  { job, clock, fields, isNamed }: Classifying,
): ClassifiedVisit {
  const { visit, contentHash, textHash, linksHash } = page;
  const { queued, status, validators } = visit;
  if (before?.source === 'ingest') return { visit, ending: { outcome: 'skipped', reason: 'ingested', status } };
  const owner = owners.get(textHash);
  const isOwn = owner?.urlHash === queued.urlHash || (owner?.isUnsure && queued.isOrphaned);
  const other = isOwn ? undefined : owner;
  if (other && !isBetter(queued, other, isNamed))
    return { visit, ending: { outcome: 'duplicate', status, target: other.url, textHash } };
  owners.set(textHash, { url: queued.url, urlHash: queued.urlHash });
  const selection = selectionVersion(job.config);
  const isUnchanged = before?.contentHash === contentHash;
  const fingerprint = fingerprintField(visit.content, isUnchanged ? before : undefined);
  const ended = { status, ...fingerprint };
  const read = {
    extraction: EXTRACTION_VERSION,
    ...defined({ fields: fields.version, selection }),
    ...validators,
    ...(visit.isRendered && { rendered: true }),
    crawledAt: new Date(clock()).toISOString(),
    characters: plainText(visit.content).length,
    ...fingerprint,
    lastJobId: job.jobId,
  };
  const seen = { visit, claimed: !other, ...(other && { replacedOwner: other }) };
  if (isUnchanged && !before.pending) {
    const { etag, lastModified, answerHash, fields: _, selection: __, rendered, unlinked, ...kept } = before;
    const row = { ...kept, ...read };
    const ending = { outcome: 'unchanged', ...ended } as const;
    if (isStored(page, before)) return { ...seen, claimed: owner?.urlHash === queued.urlHash, ending, confirmed: row };
    // The stored links let the next crawl accept a 304.
    const draft = { ...draftOf(page, { ...row, linksHash }, before, job, other), keepsEntry: true };
    return { ...seen, ending, draft };
  }
  const row = { ...registryRow(page), ...aliasesKept(page, before), ...read, indexedAt: epochSeconds(clock) };
  return { ...seen, ending: { outcome: 'indexed', ...ended }, draft: draftOf(page, row, before, job, other) };
}

function fingerprintField(content: PageContent, unchanged: RegisteredPage | undefined): { fingerprint?: string } {
  const fingerprint = unchanged?.fingerprint ?? fingerprintOf(content);
  return fingerprint === undefined ? {} : { fingerprint };
}

/**
 * Makes the draft, which claims the text in the write that makes the row pending. If another page could claim the text
 * in between, this one would stay pending. A page that replaces a text owner claims the text when that owner is marked
 * for removal.
 */
const draftOf = (
  { visit: { content, queued }, metadata }: HashedPage,
  row: PageDraft['row'],
  before: RegisteredPage | undefined,
  job: CrawlJob,
  replacedOwner: TextOwner | undefined,
): PageDraft => ({
  before,
  row,
  page: { ...content, url: queued.url, ...withGiven(metadata) },
  alsoWritten: replacedOwner ? [] : [claimText(job, row)],
});

/** Returns whether the page store still has an unchanged page with its present links. */
const isStored = ({ linksHash, visit }: HashedPage, row: RegisteredPage): boolean =>
  row.linksHash === linksHash && !visit.queued.isUnconditional;

/** Returns the aliases of a page whose text is unchanged. The end of the crawl drops those that have become pages. */
const aliasesKept = ({ textHash }: HashedPage, before: RegisteredPage | undefined): Pick<RegisteredPage, 'aliases'> =>
  before?.aliases && before.textHash === textHash ? { aliases: before.aliases } : {};

function registryRow({ visit: { content, queued }, contentHash, textHash, linksHash }: HashedPage) {
  return {
    url: queued.url,
    urlHash: queued.urlHash,
    title: content.title,
    tags: content.tags,
    ...defined({ summary: content.description, publishedAt: content.publishedAt }),
    source: 'crawl' as const,
    contentHash,
    textHash,
    linksHash,
  };
}

function hashedPage(visit: Visit & FoundPage, fields: SourcedFields): HashedPage {
  const { content, queued } = visit;
  const metadata = filledFields(fields, queued.url, content.sourceValues);
  return {
    visit,
    metadata,
    contentHash: contentHashOf(content, metadata),
    textHash: textHashOf(content, metadata, fields),
    linksHash: linksHashOf(content),
  };
}
