import type { Change, Condition, Key } from '../../ports/table.ts';
import { urlHash } from '../../web/url.ts';
import type { Outcome } from '../job/outcomes.ts';

/*
 * A URL of a job has two rows, which change in one write: `URL#` holds all that is known of it; the other one is its
 * position in the queue (`QUEUED#`), its next try (`LATER#`) or its outcome (`OUTCOME#`).
 */

export type FoundUrl = {
  readonly url: string;
  readonly depth: number;
  readonly foundOn?: string;
  /** Its index among the links of the page, or the entries of the list, that it was found on. */
  readonly position?: number;
  /** The hashes of the URLs whose redirects led here. */
  readonly via?: readonly string[];
  /** The start page or its redirect target: its links are followed even if the patterns do not admit it. */
  readonly isStart?: boolean;
  /** Only a sitemap without `recursive` names it: its links are not followed. */
  readonly isLeaf?: boolean;
  /** A sitemap names it, or another page as its canonical: of pages with the same text it is preferred. */
  readonly isNamed?: boolean;
  /** Found as the target of a redirect or canonical, so as deep as the page that names it. Not stored. */
  readonly isTarget?: boolean;
};

export type NextTry = {
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly notBefore: number;
  /** The stored text is lost: the page must be fetched without validators. */
  readonly isUnconditional?: boolean;
};

export type QueuedUrl = FoundUrl &
  Partial<NextTry> & {
    readonly urlHash: string;
    /** Its canonical target or text owner turned out to be unavailable: it is indexed itself. */
    readonly isOrphaned?: boolean;
  };

/** How a URL ended. `target` is where a redirect, canonical or duplicate points. */
export type Ending = {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly status?: number;
  readonly target?: string;
  /** The text that a duplicate shares with its target. */
  readonly textHash?: string;
  /** Of the text of an indexed or unchanged page (content/fingerprint.ts). */
  readonly fingerprint?: string;
};

/** The `URL#` row, exactly one for each URL of a job. It has no outcome while the URL is queued or postponed. */
export type JobUrl = Omit<QueuedUrl, 'urlHash'> &
  Partial<Ending> & {
    /** The page of the site that an indexed one is almost equal to, set at the end of the job. */
    readonly nearDuplicateOf?: string;
  };
export type EndedUrl = JobUrl & Ending;

const pk = (jobId: string): string => `JOB#${jobId}`;
export const URLS = 'URL#';
export const jobUrlKey = (jobId: string, hash: string): Key => ({ pk: pk(jobId), sk: URLS + hash });

export const QUEUED = 'QUEUED#';
/** Sorts after all depths. */
export const QUEUED_LEAVES = `${QUEUED}z#`;
export const POSTPONED = 'LATER#';
/** The job's URL list, in parts, until they are enqueued. */
export const LISTED = 'LISTED#';

const LAST_POSITION = 9999;
const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/**
 * Within a depth the start page comes first, then URLs without a query, because calendars and filters of shops are
 * endless; then the first links of all pages, so that a page with thousands of links does not delay the others.
 */
function queuedKey(jobId: string, url: Omit<QueuedUrl, 'urlHash'>, hash: string): Key {
  const { depth, isStart, isLeaf, position = 0, notBefore } = url;
  if (notBefore !== undefined) return { pk: pk(jobId), sk: `${POSTPONED}${digits(notBefore, 14)}#${hash}` };
  if (isLeaf) return { pk: pk(jobId), sk: QUEUED_LEAVES + hash };
  const rank = isStart ? 0 : url.url.includes('?') ? 2 : 1;
  const order = `${digits(depth, 3)}#${rank}${digits(Math.min(position, LAST_POSITION), 4)}`;
  return { pk: pk(jobId), sk: `${QUEUED}${order}#${hash}` };
}

export const outcomePrefix = (outcome: Outcome, reason: string): string => `OUTCOME#${outcome}#${reason}#`;
const outcomeKey = (jobId: string, { outcome, reason = '' }: Ending, hash: string): Key => ({
  pk: pk(jobId),
  sk: outcomePrefix(outcome, reason) + hash,
});

/** Without key and outcome. */
const asFound = ({ url, depth, foundOn, position, via, isStart, isLeaf, isNamed }: FoundUrl): FoundUrl => ({
  url,
  depth,
  ...(foundOn !== undefined && { foundOn }),
  ...(position !== undefined && { position }),
  ...(via && { via }),
  ...(isStart && { isStart }),
  ...(isLeaf && { isLeaf }),
  ...(isNamed && { isNamed }),
});

/** Of a known URL that is named since: the row is enough, because `Frontier.isNamed` is asked, not the queue. */
export const nameChange = (jobId: string, hash: string): Change => ({
  update: jobUrlKey(jobId, hash),
  set: { isNamed: true },
});

/** The queue's row of a URL that has no outcome. */
export const asQueued = (row: JobUrl): QueuedUrl => ({
  ...asFound(row),
  urlHash: urlHash(row.url),
  ...(row.isOrphaned && { isOrphaned: true }),
  ...(row.tries !== undefined && { tries: row.tries }),
  ...(row.notBefore !== undefined && { notBefore: row.notBefore }),
  ...(row.isUnconditional && { isUnconditional: true }),
});

/** The key comes last: a URL read from the table brings its old key. */
const queueing = (jobId: string, queued: QueuedUrl): Change => ({
  put: { ...queued, ...queuedKey(jobId, queued, queued.urlHash) },
});

/** Makes a URL known: queued, or with its outcome if it is not to be visited. Refused if it is known already. */
export function enqueueChanges(jobId: string, url: FoundUrl, ending?: Ending): readonly [Change, Change] {
  const hash = urlHash(url.url);
  const found = asFound(url);
  return [
    { put: { ...jobUrlKey(jobId, hash), ...found, ...ending }, when: { exists: false } },
    ending ? { put: outcomeKey(jobId, ending, hash) } : queueing(jobId, { ...found, urlHash: hash }),
  ];
}

/** Fails if the URL was moved in the queue since it was taken: it is fetched again. */
const asTaken = ({ depth, isLeaf }: QueuedUrl): Condition => ({
  exists: true,
  equals: { depth, isLeaf: isLeaf ? true : [null, false] },
});

/** Gives a queued URL its outcome. Refused if it has one or was moved in the queue. */
export function finishChanges(jobId: string, queued: QueuedUrl, ending: Ending): readonly [Change, Change, Change] {
  return [
    { remove: queuedKey(jobId, queued, queued.urlHash), when: asTaken(queued) },
    { update: jobUrlKey(jobId, queued.urlHash), set: { ...ending } },
    { put: outcomeKey(jobId, ending, queued.urlHash) },
  ];
}

/** Postpones a queued URL. Refused if it is postponed already, has an outcome or was moved in the queue. */
export function postponeChanges(jobId: string, queued: QueuedUrl, next: NextTry): readonly [Change, Change, Change] {
  return [
    { remove: queuedKey(jobId, queued, queued.urlHash), when: asTaken(queued) },
    { update: jobUrlKey(jobId, queued.urlHash), set: { ...next } },
    queueing(jobId, { ...queued, ...next }),
  ];
}

/** Moves a queued URL to which a better way was found. Refused if it is not queued as read. */
export function requeueChanges(
  jobId: string,
  row: JobUrl,
  better: Pick<FoundUrl, 'depth' | 'isLeaf'>,
): readonly Change[] {
  const before = asQueued(row);
  const { isLeaf, ...rest } = before;
  const isStillLeaf = isLeaf && better.isLeaf;
  const after = { ...rest, depth: better.depth, ...(isStillLeaf && { isLeaf }) };
  const update = {
    update: jobUrlKey(jobId, before.urlHash),
    set: { depth: better.depth, isLeaf: isStillLeaf ?? false },
  };
  // A postponed URL keeps the time of its next try.
  if (before.notBefore !== undefined) return [update, { ...queueing(jobId, after), when: { exists: true } }];
  return [{ remove: queuedKey(jobId, before, before.urlHash), when: { exists: true } }, update, queueing(jobId, after)];
}

/** Names a page of the job whose URL was enqueued again. If it is not visited again, its former outcome counts. */
export const REOPENED = 'REOPENED#';
const reopened = (jobId: string, hash: string, { outcome, status }: EndedUrl): readonly Change[] =>
  outcome === 'indexed' || outcome === 'unchanged'
    ? [{ put: { pk: pk(jobId), sk: REOPENED + hash, outcome, ...(status !== undefined && { status }) } }]
    : [];

/** Reverses `finishChanges`. Refused if the URL no longer has that outcome. */
export function reopenChanges(
  jobId: string,
  row: EndedUrl,
  changed: Pick<Partial<QueuedUrl>, 'isOrphaned' | 'depth' | 'isLeaf'>,
): readonly Change[] {
  const { notBefore, ...rest } = row;
  const hash = urlHash(row.url);
  return [
    { remove: outcomeKey(jobId, row, hash), when: { exists: true } },
    {
      update: jobUrlKey(jobId, hash),
      set: { ...changed },
      unset: ['outcome', 'reason', 'status', 'target', 'textHash', 'fingerprint', 'nearDuplicateOf', 'notBefore'],
    },
    queueing(jobId, { ...asQueued(rest), ...changed }),
    ...reopened(jobId, hash, row),
  ];
}

/** Makes an indexed page the duplicate of a better one. Refused if the URL no longer has the outcome `was`. */
export function demoteChanges(
  jobId: string,
  { urlHash: hash, textHash }: { readonly urlHash: string; readonly textHash: string },
  was: Ending,
  target: string,
): readonly [Change, Change, Change] {
  const { status } = was;
  const ending: Ending = { outcome: 'duplicate', ...(status !== undefined && { status }), target, textHash };
  return [
    { remove: outcomeKey(jobId, was, hash), when: { exists: true } },
    { update: jobUrlKey(jobId, hash), set: { ...ending }, unset: ['fingerprint', 'nearDuplicateOf'] },
    { put: outcomeKey(jobId, ending, hash) },
  ];
}
