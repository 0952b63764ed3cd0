import { everyItem } from '../../every-item.ts';
import type { Table } from '../../ports/table.ts';
import { urlHash } from '../../web/url.ts';
import { type CrawlJob, jobKey } from '../job/job.ts';
import { holdsLease, LostLease, writeUnderLease } from '../job/slice.ts';
import {
  asQueued,
  type EndedUrl,
  type Ending,
  enqueueChanges,
  type FoundUrl,
  type JobUrl,
  jobUrlKey,
  POSTPONED,
  QUEUED,
  QUEUED_LEAVES,
  type QueuedUrl,
  reopenChanges,
  requeueChanges,
} from './frontier-rows.ts';
import type { FilterRefusal, UrlFilter } from './url-filter.ts';
import { UrlHashes } from './url-hashes.ts';

const OUT_OF_SCOPE: FilterRefusal = 'out_of_scope';
const TOO_DEEP: Ending = { outcome: 'skipped', reason: 'too_deep' };

/** A job meets at most so many URLs. */
export const MOST_URLS = 200_000;
const LINKS_PER_WRITE = 49; // two items each and the job's own, within the 100 of a write
const MOVED_PER_WRITE = 33; // three items each

/** The URLs of a job as its one lease-holder sees them. It remembers which are known, so that a link met often is written once. */
export class Frontier {
  readonly #job: CrawlJob;
  readonly #table: Table;
  readonly #known = new UrlHashes();
  /** Queued, and named by nothing but sitemaps whose pages are not followed. */
  readonly #leaves = new Set<string>();
  /** Leaves that were put off or have ended: should a link lead to one after all, its own links count too. */
  readonly #endedLeaves = new Set<string>();
  /** Queued still, as they were taken, though all that they lead to is known: they are about to end. */
  readonly #spent = new Map<string, QueuedUrl>();
  #mayBeWaiting = true;
  /** So many URLs were put off by this holder. */
  #putOff = 0;
  #scope: UrlFilter;

  private constructor(job: CrawlJob, scope: UrlFilter, table: Table) {
    this.#job = job;
    this.#scope = scope;
    this.#table = table;
  }

  static async open(job: CrawlJob, scope: UrlFilter, table: Table): Promise<Frontier> {
    const frontier = new Frontier(job, scope, table);
    const admitted: EndedUrl[] = [];
    for await (const met of everyItem<JobUrl>(table, frontier.#pk, 'URL#')) {
      const hash = met.sk.slice('URL#'.length);
      const isQueued = met.outcome === undefined && met.notBefore === undefined;
      frontier.#known.add(hash);
      if (met.isLeaf) (isQueued ? frontier.#leaves : frontier.#endedLeaves).add(hash);
      if (hasEnded(met) && met.reason === OUT_OF_SCOPE && scope.refusal(met.url) === undefined) admitted.push(met);
    }
    await frontier.reopen(admitted, {}); // they were met while the site was elsewhere
    return frontier;
  }

  get #pk(): string {
    return `JOB#${this.#job.jobId}`;
  }

  /** From now on URLs are judged by another scope: the site has moved. */
  rescope(scope: UrlFilter): void {
    this.#scope = scope;
  }

  /** The job has met the URL. */
  knows(url: string): boolean {
    return this.#known.has(urlHash(url));
  }

  /** So many URLs has the job met. */
  get size(): number {
    return this.#known.size;
  }

  /** The job has met as many URLs as it may. */
  get isFull(): boolean {
    return this.#known.size >= MOST_URLS;
  }

  /** How many queued URLs only a sitemap names: the walk leaves room for them. */
  get leaves(): number {
    return this.#leaves.size;
  }

  /**
   * The queued URLs of the least depth at which there are any, leaves last. What is being worked on is still queued until it is spent, so
   * no URL is answered before the links of all shallower ones are known, or these were put off: the depth at which a URL is first found is
   * the least that it has.
   */
  async shallowest(limit: number, from: 'walk' | 'leaves' = 'walk'): Promise<readonly QueuedUrl[]> {
    const prefix = from === 'walk' ? QUEUED : QUEUED_LEAVES;
    const spent = new Map(this.#spent); // of one that is spent meanwhile, what it leads to may be missing in the answer
    const { items } = await this.#table.query<QueuedUrl>(this.#pk, { prefix, limit });
    const unexpanded = items.filter((url) => !isAsTaken(url, spent));
    const [first] = unexpanded;
    return unexpanded.filter(({ depth, isLeaf }) => depth === first?.depth && isLeaf === first.isLeaf);
  }

  /** The URLs that wait for their next try, the earliest first. */
  async waiting(limit: number): Promise<readonly QueuedUrl[]> {
    if (!this.#mayBeWaiting) return [];
    const before = this.#putOff;
    const { items } = await this.#table.query<QueuedUrl>(this.#pk, { prefix: POSTPONED, limit });
    if (before === this.#putOff) this.#mayBeWaiting = items.length > 0;
    return items.filter((url) => !this.isExpanded(url));
  }

  /** To be told of URLs that are about to end, once all that they lead to is queued: nothing waits for them any more. */
  markExpanded(urls: readonly QueuedUrl[]): void {
    for (const url of urls) this.#spent.set(url.urlHash, url);
  }

  /** It is about to end and holds nothing back. */
  isExpanded(url: QueuedUrl): boolean {
    return isAsTaken(url, this.#spent);
  }

  /** To be told of every URL that was put off or has ended. */
  left({ urlHash: hash, isLeaf }: QueuedUrl, isPutOff: boolean): void {
    this.#spent.delete(hash);
    this.#leaves.delete(hash);
    if (isLeaf) this.#endedLeaves.add(hash);
    if (!isPutOff) return;
    this.#putOff++;
    this.#mayBeWaiting = true;
  }

  /** Nothing is left to ask for. */
  async isEmpty(): Promise<boolean> {
    return (await this.shallowest(1)).length === 0 && (await this.waiting(1)).length === 0;
  }

  /** A URL by its hash, if it is still queued. */
  async find(hash: string): Promise<QueuedUrl | undefined> {
    const met = await this.#table.get<JobUrl>(jobUrlKey(this.#job.jobId, hash));
    return met && met.outcome === undefined ? asQueued(met) : undefined;
  }

  /** Takes back how URLs ended, and queues them once more with what is known of them by now. */
  async reopen(ended: readonly EndedUrl[], changed: Parameters<typeof reopenChanges>[2]): Promise<void> {
    for (let from = 0; from < ended.length; from += MOVED_PER_WRITE) {
      const part = ended.slice(from, from + MOVED_PER_WRITE);
      const add: Record<string, number> = { answered: -part.filter(isAnswered).length };
      for (const { outcome } of part) add[outcome] = (add[outcome] ?? 0) - 1;
      const changes = part.flatMap((met) => reopenChanges(this.#job.jobId, met, changed));
      await writeUnderLease(
        [{ update: jobKey(this.#job.jobId), add, when: holdsLease(this.#job) }, ...changes],
        this.#table,
      );
    }
  }

  /** Queues those that are new and in scope, and records the others, up to the most that a job may meet. Harmless when repeated. */
  async add(found: readonly FoundUrl[]): Promise<void> {
    const fresh = new Map<string, FoundUrl>();
    const again = new Map<string, FoundUrl>();
    for (const candidate of found) {
      const hash = urlHash(candidate.url);
      if (this.#known.has(hash)) {
        if (this.#isBetter(candidate, hash)) again.set(hash, this.#better(again.get(hash), candidate));
      } else if (fresh.has(hash) || this.#known.size + fresh.size < MOST_URLS)
        fresh.set(hash, this.#better(fresh.get(hash), candidate));
    }
    const urls = [...fresh.values()];
    for (let from = 0; from < urls.length; from += LINKS_PER_WRITE)
      await this.#meet(urls.slice(from, from + LINKS_PER_WRITE));
    for (const [hash, url] of fresh) {
      this.#known.add(hash);
      if (url.isLeaf && this.#refusal(url) === undefined) this.#leaves.add(hash);
    }
    await this.#improve(again);
  }

  /** Of two ways to one URL the one that leads further: not too deep, to a page that is followed, the shorter one. Of equal ones the first. */
  #better(first: FoundUrl | undefined, second: FoundUrl): FoundUrl {
    if (!first) return second;
    const isTooDeep = ({ depth }: FoundUrl) => depth > this.#job.config.maxDepth;
    if (isTooDeep(first) !== isTooDeep(second)) return isTooDeep(first) ? second : first;
    if (first.isLeaf !== second.isLeaf) return first.isLeaf ? second : first;
    const isShorter = second.depth < first.depth || (second.isStart && !first.isStart);
    return isShorter ? second : first;
  }

  /** A link makes a leaf a page like others; a redirect or canonical may lead to a URL by a shorter way than the links. */
  #isBetter({ isLeaf, isTarget }: FoundUrl, hash: string): boolean {
    return isTarget === true || (!isLeaf && (this.#leaves.has(hash) || this.#endedLeaves.has(hash)));
  }

  /** Moves URLs that were found again to where they belong now, if they still wait. */
  async #improve(again: ReadonlyMap<string, FoundUrl>): Promise<void> {
    const { jobId } = this.#job;
    const hashes = [...again.keys()];
    const rows = await this.#table.getMany<JobUrl>(hashes.map((hash) => jobUrlKey(jobId, hash)));
    for (const [place, met] of rows.entries()) {
      const hash = hashes[place] ?? '';
      const better = again.get(hash);
      if (!met || !better) continue;
      if (met.isLeaf && !better.isLeaf) await this.#promote(met, better);
      else await this.#lower(met, better.depth);
    }
  }

  /** A leaf that a link leads to is a page like others, as deep as the link; where that is too deep, it stays a leaf. */
  async #promote(met: JobUrl, { depth }: FoundUrl): Promise<void> {
    if (depth > this.#job.config.maxDepth) return;
    const hash = urlHash(met.url);
    if (!hasEnded(met)) await this.#requeue(met, { depth });
    else if (isAnswered(met)) await this.reopen([met], { depth, isLeaf: false });
    this.#leaves.delete(hash);
    this.#endedLeaves.delete(hash);
  }

  async #lower(met: JobUrl, depth: number): Promise<void> {
    if (depth >= met.depth) return;
    if (!hasEnded(met)) await this.#requeue(met, { ...met, depth });
    else if (met.reason === TOO_DEEP.reason && depth <= this.#job.config.maxDepth) await this.reopen([met], { depth });
  }

  async #requeue(met: JobUrl, better: Pick<FoundUrl, 'depth' | 'isLeaf'>): Promise<void> {
    const { jobId } = this.#job;
    const check = { check: jobKey(jobId), when: holdsLease(this.#job) };
    await writeUnderLease([check, ...requeueChanges(jobId, met, better)], this.#table);
  }

  async #meet(urls: readonly FoundUrl[]): Promise<void> {
    if (urls.length === 0) return;
    const { jobId } = this.#job;
    const links = urls.map((url) => {
      const ending = this.#refusal(url);
      return { url, ending, changes: enqueueChanges(jobId, url, ending) };
    });
    const skipped = links.filter(({ ending }) => ending !== undefined).length;
    const counting = { update: jobKey(jobId), add: { discovered: urls.length, skipped }, when: holdsLease(this.#job) };
    const refused = new Set(await this.#table.write([counting, ...links.flatMap(({ changes }) => changes)]));
    if (refused.has(counting)) throw new LostLease();
    // A refused link was written before by this holder and the answer was lost: the others are written without it.
    const left = links.filter(({ changes }) => !changes.some((change) => refused.has(change)));
    if (refused.size > 0) await this.#meet(left.map(({ url }) => url));
  }

  /** Why a URL is not visited, if it is not. */
  #refusal({ url, depth, isStart }: FoundUrl): Ending | undefined {
    const reason = isStart ? undefined : this.#scope.refusal(url);
    if (reason !== undefined) return { outcome: 'skipped', reason };
    return depth > this.#job.config.maxDepth ? TOO_DEEP : undefined;
  }
}

/** One that was moved in the queue since it was taken is to be asked for once more. */
function isAsTaken(
  { urlHash: hash, depth, isLeaf = false }: QueuedUrl,
  taken: ReadonlyMap<string, QueuedUrl>,
): boolean {
  const then = taken.get(hash);
  return then !== undefined && then.depth === depth && (then.isLeaf ?? false) === isLeaf;
}

const hasEnded = (met: JobUrl): met is EndedUrl => met.outcome !== undefined;
const isAnswered = ({ status }: EndedUrl): boolean => status === 200 || status === 304;
