import { defined } from '../../../text/defined.ts';
import { urlHash } from '../../../text/web/url.ts';
import type { Change, Condition, Key } from '../../ports/table.ts';
import type { Outcome } from './outcomes.ts';

/*
 * A URL of a job has one row, `URL#`. The row of a queued or postponed URL has no outcome; the order of the queue is in
 * the memory of the worker that holds the lease (crawl/frontier/queued-urls.ts). A URL with an outcome other than
 * `indexed` and `unchanged` has a second row, `OUTCOME#`, by which the URLs of that outcome are listed. Both rows
 * change in one write.
 */

export type FoundUrl = {
  readonly url: string;
  readonly depth: number;
  readonly foundOn?: string;
  /** The index of the link on its page, or of the entry in its list. */
  readonly position?: number;
  /** Hashes of the URLs whose redirects led here. */
  readonly via?: readonly string[];
  /** Set for the start page and its redirect target, whose links are followed even if the patterns do not admit it. */
  readonly isStart?: boolean;
  /** Set if only a sitemap without `recursive` names the URL: its links are not followed. */
  readonly isLeaf?: boolean;
  /**
   * Set if a sitemap names the URL, or another page as its canonical: it is preferred among pages with the same text.
   */
  readonly isNamed?: boolean;
  /** Set for the target of a redirect or canonical, which is as deep as the page that names it. Not stored. */
  readonly isTarget?: boolean;
};

export type NextTry = {
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly notBefore: number;
  /** Set if the stored text is lost: the page must be fetched without validators. */
  readonly isUnconditional?: boolean;
};

export type QueuedUrl = FoundUrl &
  Partial<NextTry> & {
    readonly urlHash: string;
    /** Set if its canonical or text owner turned out to be unavailable: the page is indexed itself. */
    readonly isOrphaned?: boolean;
  };

/** How a URL ended. `target` is the URL to which a redirect, canonical or duplicate points. */
export type Ending = {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly status?: number;
  readonly target?: string;
  /** Hash of the text that a duplicate shares with its target. */
  readonly textHash?: string;
  /** Fingerprint of an indexed or unchanged page's text (text/fingerprint.ts). */
  readonly fingerprint?: string;
};

/** The `URL#` row, exactly one for each URL of a job. It has no outcome while the URL is queued or postponed. */
export type JobUrl = Omit<QueuedUrl, 'urlHash'> &
  Partial<Ending> & {
    /** The page of the site that an indexed page nearly equals, set at the end of the job. */
    readonly nearDuplicateOf?: string;
  };
export type EndedUrl = JobUrl & Ending;

const pk = (jobId: string): string => `JOB#${jobId}`;
export const URLS = 'URL#';
export const jobUrlKey = (jobId: string, hash: string): Key => ({ pk: pk(jobId), sk: URLS + hash });

/** Prefix of the parts of the job's URL list, which exist until they are enqueued. */
export const LISTED = 'LISTED#';

/**
 * Returns whether the outcome has no second row. Most URLs have such an outcome, and a second row would be an eighth of
 * a crawl's cost in DynamoDB. Lists of these outcomes read all rows.
 */
export const isUnlisted = (outcome: Outcome | undefined): boolean => outcome === 'indexed' || outcome === 'unchanged';

export const outcomePrefix = (outcome: Outcome, reason: string): string => `OUTCOME#${outcome}#${reason}#`;
function outcomeKeys(jobId: string, { outcome, reason = '' }: Ending, hash: string): readonly Key[] {
  return isUnlisted(outcome) ? [] : [{ pk: pk(jobId), sk: outcomePrefix(outcome, reason) + hash }];
}
const asPut = (put: Key): Change => ({ put });

/** Returns the URL as it was found, without key and outcome. */
const asFound = ({ url, depth, foundOn, position, via, isStart, isLeaf, isNamed }: FoundUrl): FoundUrl => ({
  url,
  depth,
  ...defined({ foundOn, position }),
  ...(via && { via }),
  ...(isStart && { isStart }),
  ...(isLeaf && { isLeaf }),
  ...(isNamed && { isNamed }),
});

/** Marks a known URL as named by the site. */
export const declaredChange = (jobId: string, hash: string): Change => ({
  update: jobUrlKey(jobId, hash),
  set: { isNamed: true },
});

/** Returns the queued URL of a row. */
export const asQueued = (row: JobUrl): QueuedUrl => ({
  ...asFound(row),
  urlHash: urlHash(row.url),
  ...(row.isOrphaned && { isOrphaned: true }),
  ...defined({ tries: row.tries, notBefore: row.notBefore }),
  ...(row.isUnconditional && { isUnconditional: true }),
});

/**
 * Makes a URL known, either queued or with the outcome of a URL that must not be visited. Refused if it is known
 * already.
 */
export function enqueueChanges(jobId: string, url: FoundUrl, ending?: Ending): readonly Change[] {
  const hash = urlHash(url.url);
  return [
    { put: { ...jobUrlKey(jobId, hash), ...asFound(url), ...ending }, when: { exists: false } },
    ...(ending ? outcomeKeys(jobId, ending, hash).map(asPut) : []),
  ];
}

/**
 * Returns a condition that fails if the URL has an outcome or was movedRow in the queue after it was taken. It is then
 * fetched again.
 */
const asTaken = ({ depth, isLeaf, notBefore }: QueuedUrl): Condition => ({
  exists: true,
  equals: { outcome: null, depth, isLeaf: isLeaf ? true : [null, false], notBefore: notBefore ?? null },
});

/** Gives a queued URL its outcome. Refused if it has one or was movedRow in the queue. */
export const finishChanges = (jobId: string, queued: QueuedUrl, ending: Ending): readonly [Change, ...Change[]] => [
  { update: jobUrlKey(jobId, queued.urlHash), set: { ...ending }, when: asTaken(queued) },
  ...outcomeKeys(jobId, ending, queued.urlHash).map(asPut),
];

/** Postpones a queued URL. Refused if it is postponed already, has an outcome or was movedRow in the queue. */
export const postponeChanges = (jobId: string, queued: QueuedUrl, next: NextTry): readonly [Change] => [
  { update: jobUrlKey(jobId, queued.urlHash), set: { ...next }, when: asTaken(queued) },
];

/** Returns a queued URL at a better place in the queue. A postponed URL keeps the time of its next try. */
export const movedRow = (queued: QueuedUrl, better: Pick<FoundUrl, 'depth' | 'isLeaf'>): QueuedUrl => {
  const { isLeaf, ...rest } = queued;
  return { ...rest, depth: better.depth, ...(isLeaf && better.isLeaf && { isLeaf }) };
};

/** Moves a queued URL. Refused if its row has changed since it was read. */
export const requeueChanges = (jobId: string, before: QueuedUrl, after: QueuedUrl): readonly [Change] => [
  {
    update: jobUrlKey(jobId, before.urlHash),
    set: { depth: after.depth, isLeaf: after.isLeaf ?? false },
    when: asTaken(before),
  },
];

/**
 * Prefix of items that name indexed pages whose URLs were enqueued again. If such a URL is not visited again, its
 * former outcome counts.
 */
export const REOPENED = 'REOPENED#';
const reopened = (jobId: string, hash: string, { outcome, status }: EndedUrl): readonly Change[] =>
  outcome === 'indexed' || outcome === 'unchanged'
    ? [{ put: { pk: pk(jobId), sk: REOPENED + hash, outcome, ...defined({ status }) } }]
    : [];

const hasEnding = ({ outcome, reason }: Pick<Partial<Ending>, 'outcome' | 'reason'>): Condition => ({
  exists: true,
  equals: { outcome: outcome ?? null, reason: reason ?? null },
});

/** Reverses `finishChanges`. Refused if the URL no longer has that outcome. */
export function reopenChanges(
  jobId: string,
  row: EndedUrl,
  changed: Pick<Partial<QueuedUrl>, 'isOrphaned' | 'depth' | 'isLeaf'>,
): readonly Change[] {
  const hash = urlHash(row.url);
  return [
    ...outcomeKeys(jobId, row, hash).map((remove) => ({ remove })),
    {
      update: jobUrlKey(jobId, hash),
      set: { ...changed },
      when: hasEnding(row),
      unset: ['outcome', 'reason', 'status', 'target', 'textHash', 'fingerprint', 'nearDuplicateOf', 'notBefore'],
    },
    ...reopened(jobId, hash, row),
  ];
}

/** Makes an indexed page the duplicate of a better one. Refused if the URL no longer has the outcome `was`. */
export function demoteChanges(
  jobId: string,
  { urlHash: hash, textHash }: { readonly urlHash: string; readonly textHash: string },
  was: Ending,
  target: string,
): readonly Change[] {
  const { status } = was;
  const ending: Ending = { outcome: 'duplicate', ...defined({ status }), target, textHash };
  return [
    ...outcomeKeys(jobId, was, hash).map((remove) => ({ remove })),
    {
      update: jobUrlKey(jobId, hash),
      set: { ...ending },
      unset: ['fingerprint', 'nearDuplicateOf'],
      when: hasEnding(was),
    },
    ...outcomeKeys(jobId, ending, hash).map(asPut),
  ];
}
