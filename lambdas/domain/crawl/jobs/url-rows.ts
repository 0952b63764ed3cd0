import { urlHash } from '../../../text/web/url.ts';
import type { Change, Condition, Key } from '../../ports/table.ts';
import type { Outcome } from './outcomes.ts';

/*
 * A URL of a job has one row, `URL#`. While it is queued or postponed the row has no outcome; the order of the queue is
 * in the memory of the worker that holds the lease (crawl/frontier/queued-urls.ts). With an outcome other than
 * `indexed` and `unchanged` it gets a second row, `OUTCOME#`, by which the URLs of that outcome are listed. Both change
 * in one write.
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
  /** Fingerprint of the text of an indexed or unchanged page (text/fingerprint.ts). */
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

/** The job's URL list, in parts, until they are enqueued. */
export const LISTED = 'LISTED#';

/** Most URLs end so: a second row would be an eighth of what a crawl costs in DynamoDB. Lists read the rows of all. */
export const isUnlisted = (outcome: Outcome | undefined): boolean => outcome === 'indexed' || outcome === 'unchanged';

export const outcomePrefix = (outcome: Outcome, reason: string): string => `OUTCOME#${outcome}#${reason}#`;
function outcomeKeys(jobId: string, { outcome, reason = '' }: Ending, hash: string): readonly Key[] {
  return isUnlisted(outcome) ? [] : [{ pk: pk(jobId), sk: outcomePrefix(outcome, reason) + hash }];
}
const asPut = (put: Key): Change => ({ put });

/** The URL as it was found, without key and outcome. */
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

/** Marks a known URL as named by the site. */
export const nameChange = (jobId: string, hash: string): Change => ({
  update: jobUrlKey(jobId, hash),
  set: { isNamed: true },
});

/** A URL as it is queued, by its row. */
export const asQueued = (row: JobUrl): QueuedUrl => ({
  ...asFound(row),
  urlHash: urlHash(row.url),
  ...(row.isOrphaned && { isOrphaned: true }),
  ...(row.tries !== undefined && { tries: row.tries }),
  ...(row.notBefore !== undefined && { notBefore: row.notBefore }),
  ...(row.isUnconditional && { isUnconditional: true }),
});

/** Makes a URL known: queued, or with its outcome if it is not to be visited. Refused if it is known already. */
export function enqueueChanges(jobId: string, url: FoundUrl, ending?: Ending): readonly Change[] {
  const hash = urlHash(url.url);
  return [
    { put: { ...jobUrlKey(jobId, hash), ...asFound(url), ...ending }, when: { exists: false } },
    ...(ending ? outcomeKeys(jobId, ending, hash).map(asPut) : []),
  ];
}

/** Fails if the URL has an outcome or was moved in the queue since it was taken: it is fetched again. */
const asTaken = ({ depth, isLeaf, notBefore }: QueuedUrl): Condition => ({
  exists: true,
  equals: { outcome: null, depth, isLeaf: isLeaf ? true : [null, false], notBefore: notBefore ?? null },
});

/** Gives a queued URL its outcome. Refused if it has one or was moved in the queue. */
export const finishChanges = (jobId: string, queued: QueuedUrl, ending: Ending): readonly [Change, ...Change[]] => [
  { update: jobUrlKey(jobId, queued.urlHash), set: { ...ending }, when: asTaken(queued) },
  ...outcomeKeys(jobId, ending, queued.urlHash).map(asPut),
];

/** Postpones a queued URL. Refused if it is postponed already, has an outcome or was moved in the queue. */
export const postponeChanges = (jobId: string, queued: QueuedUrl, next: NextTry): readonly [Change] => [
  { update: jobUrlKey(jobId, queued.urlHash), set: { ...next }, when: asTaken(queued) },
];

/** Moves a queued URL to which a better way was found; a postponed one keeps the time of its next try. */
export const moved = (queued: QueuedUrl, better: Pick<FoundUrl, 'depth' | 'isLeaf'>): QueuedUrl => {
  const { isLeaf, ...rest } = queued;
  return { ...rest, depth: better.depth, ...(isLeaf && better.isLeaf && { isLeaf }) };
};

/** Refused if the URL is not queued as read. */
export const requeueChanges = (jobId: string, before: QueuedUrl, after: QueuedUrl): readonly [Change] => [
  {
    update: jobUrlKey(jobId, before.urlHash),
    set: { depth: after.depth, isLeaf: after.isLeaf ?? false },
    when: asTaken(before),
  },
];

/** Names a page of the job whose URL was enqueued again. If it is not visited again, its former outcome counts. */
export const REOPENED = 'REOPENED#';
const reopened = (jobId: string, hash: string, { outcome, status }: EndedUrl): readonly Change[] =>
  outcome === 'indexed' || outcome === 'unchanged'
    ? [{ put: { pk: pk(jobId), sk: REOPENED + hash, outcome, ...(status !== undefined && { status }) } }]
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
  const ending: Ending = { outcome: 'duplicate', ...(status !== undefined && { status }), target, textHash };
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
