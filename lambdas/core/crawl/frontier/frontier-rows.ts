import type { Change, Condition, Key } from '../../ports/table.ts';
import { urlHash } from '../../web/url.ts';
import type { Outcome } from '../job/outcomes.ts';

/*
 * What the table holds of a URL that a job has met: one row with all that is known of it, and one that says where it stands: queued,
 * waiting for its next try, or at its end with an outcome. Both change in one write.
 */

export type FoundUrl = {
  readonly url: string;
  readonly depth: number;
  readonly foundOn?: string;
  /** Its place among the links of the page, or the entries of the list, that it was found on. */
  readonly place?: number;
  /** The hashes of the URLs whose redirects have led here. */
  readonly via?: readonly string[];
  /** The start page, or where it redirects to: read for its links even if the patterns do not admit it. */
  readonly isStart?: boolean;
  /** Only a sitemap names it whose pages are not followed. */
  readonly isLeaf?: boolean;
  /** It stands for the page that it was found on, as the target of a redirect or as canonical. Not kept. */
  readonly isTarget?: boolean;
};

/** Why and when a URL is asked for once more. */
export type NextTry = {
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly notBefore: number;
  /** What was kept of the page is lost: it is to be sent whole. */
  readonly isUnconditional?: boolean;
};

/** Waits to be fetched; goes when the URL has its outcome. */
export type QueuedUrl = FoundUrl &
  Partial<NextTry> & {
    readonly urlHash: string;
    /** It stands for itself: the page that it names as canonical, or that has its text, is not to be had. */
    readonly isOrphaned?: boolean;
  };

/** How a URL ended. `target` is where a redirect, canonical or duplicate points. */
export type Ending = {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly status?: number;
  readonly target?: string;
  /** Of a duplicate, what it has in common with its target. */
  readonly textHash?: string;
};

/** A URL met by a job: exactly one row each. It has no outcome while it is queued. */
export type JobUrl = Omit<QueuedUrl, 'urlHash'> & Partial<Ending>;
export type EndedUrl = JobUrl & Ending;

const pk = (jobId: string): string => `JOB#${jobId}`;
export const jobUrlKey = (jobId: string, hash: string): Key => ({ pk: pk(jobId), sk: `URL#${hash}` });

export const QUEUED = 'QUEUED#';
/** Sorts after all depths. */
export const QUEUED_LEAVES = `${QUEUED}z#`;
export const POSTPONED = 'LATER#';

const LAST_PLACE = 9999;
const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/**
 * Of one depth the start page comes first, then what has no query: a calendar or a shop's filters have no end, and what else a site
 * has should not wait for it. Then the first links of all pages, so that one page with thousands does not keep the others waiting.
 */
function queuedKey(jobId: string, url: Omit<QueuedUrl, 'urlHash'>, hash: string): Key {
  const { depth, isStart, isLeaf, place = 0, notBefore } = url;
  if (notBefore !== undefined) return { pk: pk(jobId), sk: `${POSTPONED}${digits(notBefore, 14)}#${hash}` };
  if (isLeaf) return { pk: pk(jobId), sk: QUEUED_LEAVES + hash };
  const rank = isStart ? 0 : url.url.includes('?') ? 2 : 1;
  const order = `${digits(depth, 3)}#${rank}${digits(Math.min(place, LAST_PLACE), 4)}`;
  return { pk: pk(jobId), sk: `${QUEUED}${order}#${hash}` };
}

export const outcomePrefix = (outcome: Outcome, reason: string): string => `OUTCOME#${outcome}#${reason}#`;
const outcomeKey = (jobId: string, { outcome, reason = '' }: Ending, hash: string): Key => ({
  pk: pk(jobId),
  sk: outcomePrefix(outcome, reason) + hash,
});

/** A stored URL as it was found, without key and outcome. */
const asFound = ({ url, depth, foundOn, place, via, isStart, isLeaf }: FoundUrl): FoundUrl => ({
  url,
  depth,
  ...(foundOn !== undefined && { foundOn }),
  ...(place !== undefined && { place }),
  ...(via && { via }),
  ...(isStart && { isStart }),
  ...(isLeaf && { isLeaf }),
});

/** A URL that was met and has not ended, as it is queued. */
export const asQueued = (met: JobUrl): QueuedUrl => ({
  ...asFound(met),
  urlHash: urlHash(met.url),
  ...(met.isOrphaned && { isOrphaned: true }),
  ...(met.tries !== undefined && { tries: met.tries }),
  ...(met.notBefore !== undefined && { notBefore: met.notBefore }),
  ...(met.isUnconditional && { isUnconditional: true }),
});

/** The key comes last: a URL that was read from the table brings its old one. */
const queueing = (jobId: string, queued: QueuedUrl): Change => ({
  put: { ...queued, ...queuedKey(jobId, queued, queued.urlHash) },
});

/** The changes that make a URL known: queued, or at its end if it is not to be visited. Refused where it is known already. */
export function enqueueChanges(jobId: string, url: FoundUrl, ending?: Ending): readonly [Change, Change] {
  const hash = urlHash(url.url);
  const found = asFound(url);
  return [
    { put: { ...jobUrlKey(jobId, hash), ...found, ...ending }, when: { exists: false } },
    ending ? { put: outcomeKey(jobId, ending, hash) } : queueing(jobId, { ...found, urlHash: hash }),
  ];
}

/** It is queued as it was taken: where a way was found meanwhile by which it is followed, or less deep, it is to be asked for once more. */
const asTaken = ({ depth, isLeaf }: QueuedUrl): Condition => ({
  exists: true,
  equals: { depth, isLeaf: isLeaf ? true : [null, false] },
});

/** The changes that give a queued URL its one outcome. Refused where it has one, or was moved in the queue. */
export function finishChanges(jobId: string, queued: QueuedUrl, ending: Ending): readonly [Change, Change, Change] {
  return [
    { remove: queuedKey(jobId, queued, queued.urlHash), when: asTaken(queued) },
    { update: jobUrlKey(jobId, queued.urlHash), set: { ...ending } },
    { put: outcomeKey(jobId, ending, queued.urlHash) },
  ];
}

/** The changes that put a queued URL off. Refused where that was done, or where it has ended or was moved in the queue. */
export function postponeChanges(jobId: string, queued: QueuedUrl, next: NextTry): readonly [Change, Change, Change] {
  return [
    { remove: queuedKey(jobId, queued, queued.urlHash), when: asTaken(queued) },
    { update: jobUrlKey(jobId, queued.urlHash), set: { ...next } },
    queueing(jobId, { ...queued, ...next }),
  ];
}

/** The changes that move a queued URL to where it belongs, because it was found again. Refused where it is not queued so. */
export function requeueChanges(
  jobId: string,
  met: JobUrl,
  better: Pick<FoundUrl, 'depth' | 'isLeaf'>,
): readonly Change[] {
  const before = asQueued(met);
  const { isLeaf, ...rest } = before;
  const isStillLeaf = isLeaf && better.isLeaf;
  const after = { ...rest, depth: better.depth, ...(isStillLeaf && { isLeaf }) };
  const update = {
    update: jobUrlKey(jobId, before.urlHash),
    set: { depth: better.depth, isLeaf: isStillLeaf ?? false },
  };
  // One that waits for its next try stays where it is.
  if (before.notBefore !== undefined) return [update, { ...queueing(jobId, after), when: { exists: true } }];
  return [{ remove: queuedKey(jobId, before, before.urlHash), when: { exists: true } }, update, queueing(jobId, after)];
}

/** The reverse of `finishChanges`, with what is known of the URL by now. Refused where that was done. */
export function reopenChanges(
  jobId: string,
  met: EndedUrl,
  changed: Pick<Partial<QueuedUrl>, 'isOrphaned' | 'depth' | 'isLeaf'>,
): readonly [Change, Change, Change] {
  const { notBefore, ...rest } = met;
  const hash = urlHash(met.url);
  return [
    { remove: outcomeKey(jobId, met, hash), when: { exists: true } },
    {
      update: jobUrlKey(jobId, hash),
      set: { ...changed },
      unset: ['outcome', 'reason', 'status', 'target', 'textHash', 'notBefore'],
    },
    queueing(jobId, { ...asQueued(rest), ...changed }),
  ];
}

/** The changes by which a page that was indexed becomes the duplicate of a better one. Refused where that was done. */
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
    { update: jobUrlKey(jobId, hash), set: { ...ending } },
    { put: outcomeKey(jobId, ending, hash) },
  ];
}
