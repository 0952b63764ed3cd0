import type { Change, Key, Table } from '../../adapters/ports.ts';
import { everyItem } from '../every-item.ts';
import { urlHash } from '../web/url.ts';
import type { CrawlScope } from './crawl-scope.ts';
import { type CrawlJob, jobKey } from './job.ts';
import { holding, LostLease, writeHolding } from './lease.ts';
import type { Outcome } from './outcomes.ts';

export type FoundUrl = {
  readonly url: string;
  readonly depth: number;
  readonly foundOn?: string;
  /** How many redirects have led here. */
  readonly hops?: number;
  /** The start page, or where it redirects to: read for its links even if the patterns do not admit it. */
  readonly isStart?: boolean;
};

/** Waits to be fetched; goes when the URL has its outcome. */
export type QueuedUrl = FoundUrl & {
  readonly urlHash: string;
  /** The page that it names as canonical is not to be had. */
  readonly ignoreCanonical?: boolean;
};

/** How a URL ended. `target` is where a redirect, canonical or duplicate points. */
export type Ending = {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly status?: number;
  readonly target?: string;
};

/** A URL met by a job: exactly one row each. It has no outcome while it is queued. */
export type MetUrl = FoundUrl & Partial<Ending> & Pick<QueuedUrl, 'ignoreCanonical'>;

const pk = (jobId: string): string => `JOB#${jobId}`;
export const metUrlKey = (jobId: string, hash: string): Key => ({ pk: pk(jobId), sk: `URL#${hash}` });
const queuedKey = (jobId: string, { depth, urlHash }: Pick<QueuedUrl, 'depth' | 'urlHash'>): Key => ({
  pk: pk(jobId),
  sk: `QUEUED#${String(depth).padStart(3, '0')}#${urlHash}`,
});
export const outcomePrefix = (outcome: Outcome, reason: string): string => `OUTCOME#${outcome}#${reason}#`;
const outcomeKey = (jobId: string, { outcome, reason = '' }: Ending, hash: string): Key => ({
  pk: pk(jobId),
  sk: outcomePrefix(outcome, reason) + hash,
});

const TOO_DEEP: Ending = { outcome: 'skipped', reason: 'too_deep' };

/** A stored URL as it was found, without key and outcome. */
const asFound = ({ url, depth, foundOn, hops, isStart }: FoundUrl): FoundUrl => ({
  url,
  depth,
  ...(foundOn !== undefined && { foundOn }),
  ...(hops !== undefined && { hops }),
  ...(isStart && { isStart }),
});

/** The changes that make a URL known: queued, or at its end if it is not to be visited. Refused where it is known already. */
export function meeting(jobId: string, url: FoundUrl, ending?: Ending): readonly [Change, Change] {
  const hash = urlHash(url.url);
  const found = asFound(url);
  return [
    { put: { ...metUrlKey(jobId, hash), ...found, ...ending }, when: { exists: false } },
    {
      put: ending
        ? outcomeKey(jobId, ending, hash)
        : { ...queuedKey(jobId, { depth: url.depth, urlHash: hash }), ...found, urlHash: hash },
    },
  ];
}

/** The changes that give a queued URL its one outcome. Refused where it has one. */
export function settling(jobId: string, queued: QueuedUrl, ending: Ending): readonly [Change, Change, Change] {
  return [
    { remove: queuedKey(jobId, queued), when: { exists: true } },
    { update: metUrlKey(jobId, queued.urlHash), set: { ...ending } },
    { put: outcomeKey(jobId, ending, queued.urlHash) },
  ];
}

/** The reverse of `settling` for a page that was skipped. Refused where that was done. */
function reopening(jobId: string, met: MetUrl): readonly Change[] {
  const hash = urlHash(met.url);
  const queued = { ...asFound(met), urlHash: hash, ignoreCanonical: true };
  return [
    { remove: outcomeKey(jobId, met as Ending, hash), when: { exists: true } },
    {
      update: metUrlKey(jobId, hash),
      set: { ignoreCanonical: true },
      unset: ['outcome', 'reason', 'status', 'target'],
    },
    { put: { ...queuedKey(jobId, queued), ...queued } },
  ];
}

/** A job meets at most so many URLs. */
export const MOST_URLS = 200_000;
const LINKS_PER_WRITE = 49; // two items each and the job's own, within the 100 of a write
const REOPENED_PER_WRITE = 33; // three items each

/** The URLs of a job as its one lease-holder sees them. It remembers which are known, so that a link met often is written once. */
export class Frontier {
  readonly #job: CrawlJob;
  readonly #table: Table;
  readonly #known: Set<string>;
  #scope: CrawlScope;

  private constructor(job: CrawlJob, scope: CrawlScope, table: Table, known: Set<string>) {
    this.#job = job;
    this.#scope = scope;
    this.#table = table;
    this.#known = known;
  }

  static async open(job: CrawlJob, scope: CrawlScope, table: Table): Promise<Frontier> {
    const known = new Set<string>();
    for await (const { sk } of everyItem(table, pk(job.jobId), 'URL#')) known.add(sk.slice('URL#'.length));
    return new Frontier(job, scope, table, known);
  }

  /** From now on URLs are judged by another scope: the site has moved. */
  rescope(scope: CrawlScope): void {
    this.#scope = scope;
  }

  /** The job has met the URL. */
  knows(url: string): boolean {
    return this.#known.has(urlHash(url));
  }

  /** The job has met as many URLs as it may. */
  get isFull(): boolean {
    return this.#known.size >= MOST_URLS;
  }

  /**
   * The queued URLs of the least depth at which there are any. What is being worked on is still queued, so no URL is answered
   * before all shallower ones have ended: the depth at which a URL is first found is the least that it has.
   */
  async shallowest(limit: number): Promise<readonly QueuedUrl[]> {
    const { items } = await this.#table.query<QueuedUrl>(pk(this.#job.jobId), { prefix: 'QUEUED#', limit });
    return items.filter(({ depth }) => depth === items[0]?.depth);
  }

  /** A URL by its hash, if it is still queued. */
  async find(hash: string): Promise<QueuedUrl | undefined> {
    const met = await this.#table.get<MetUrl>(metUrlKey(this.#job.jobId, hash));
    if (!met || met.outcome !== undefined) return undefined;
    return { ...asFound(met), urlHash: hash, ...(met.ignoreCanonical && { ignoreCanonical: true }) };
  }

  /** Takes back the end of pages that were left to their canonicals, and queues them as themselves. */
  async reopen(ended: readonly MetUrl[]): Promise<void> {
    const { jobId } = this.#job;
    for (let from = 0; from < ended.length; from += REOPENED_PER_WRITE) {
      const urls = ended.slice(from, from + REOPENED_PER_WRITE);
      const add = { skipped: -urls.length, answered: -urls.length };
      const changes = urls.flatMap((met) => reopening(jobId, met));
      await writeHolding([{ update: jobKey(jobId), add, when: holding(this.#job) }, ...changes], this.#table);
    }
  }

  /** Queues those that are new and in scope, and records the others, up to the most that a job may meet. Harmless when repeated. */
  async add(found: readonly FoundUrl[]): Promise<void> {
    const fresh = new Map<string, FoundUrl>();
    for (const candidate of found) {
      const hash = urlHash(candidate.url);
      if (this.#known.size + fresh.size >= MOST_URLS) break;
      if (!this.#known.has(hash) && !fresh.has(hash)) fresh.set(hash, candidate);
    }
    const urls = [...fresh.values()];
    for (let from = 0; from < urls.length; from += LINKS_PER_WRITE)
      await this.#write(urls.slice(from, from + LINKS_PER_WRITE));
    for (const hash of fresh.keys()) this.#known.add(hash);
  }

  async #write(urls: readonly FoundUrl[]): Promise<void> {
    if (urls.length === 0) return;
    const { jobId } = this.#job;
    const endings = urls.map((url) => this.#refusal(url));
    const skipped = endings.filter((ending) => ending !== undefined).length;
    const refused = await this.#table.write([
      { update: jobKey(jobId), add: { discovered: urls.length, skipped }, when: holding(this.#job) },
      ...urls.flatMap((url, place) => meeting(jobId, url, endings[place])),
    ]);
    if (refused.includes(0)) throw new LostLease();
    // A refused link was written by this holder before and the answer lost: the others go again without it.
    if (refused.length > 0) await this.#write(urls.filter((_, place) => !refused.includes(1 + 2 * place)));
  }

  /** Why a URL is not visited, if it is not. */
  #refusal({ url, depth, isStart }: FoundUrl): Ending | undefined {
    const reason = isStart ? undefined : this.#scope.refusal(url);
    if (reason !== undefined) return { outcome: 'skipped', reason };
    return depth > this.#job.config.maxDepth ? TOO_DEEP : undefined;
  }
}
