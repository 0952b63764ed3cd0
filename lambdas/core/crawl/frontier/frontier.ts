import { everyItem, firstItems } from '../../every-item.ts';
import { urlHash } from '../../web/url.ts';
import { outcomeCounts } from '../job/outcome-counts.ts';
import type { Slice } from '../job/slice.ts';
import {
  asQueued,
  type EndedUrl,
  type Ending,
  enqueueChanges,
  type FoundUrl,
  type JobUrl,
  jobUrlKey,
  nameChange,
  POSTPONED,
  QUEUED,
  QUEUED_LEAVES,
  type QueuedUrl,
  reopenChanges,
  requeueChanges,
} from './frontier-rows.ts';
import { KnownUrls } from './known-urls.ts';
import type { FilterRefusal, UrlFilter } from './url-filter.ts';

const OUT_OF_SCOPE: FilterRefusal = 'out_of_scope';
const TOO_DEEP: Ending = { outcome: 'skipped', reason: 'too_deep' };

const ENQUEUED_PER_WRITE = 49; // two items each and the job's own, within the 100 of a write
const REOPENED_PER_WRITE = 24; // four items each
const NAMED_PER_WRITE = 99;

/** The queue of a job's URLs as the worker that holds the lease sees it. */
export class Frontier {
  readonly #slice: Slice;
  readonly #known: KnownUrls;
  /** Links enqueued, outcome not yet committed. These no longer block the next depth. */
  readonly #expanded = new Map<string, QueuedUrl>();
  #mayHavePostponed = true;
  #postponements = 0;
  #filter: UrlFilter;

  private constructor(slice: Slice, filter: UrlFilter) {
    this.#slice = slice;
    this.#filter = filter;
    this.#known = new KnownUrls(slice.job.config.maxDepth);
  }

  static async open(slice: Slice, filter: UrlFilter): Promise<Frontier> {
    const frontier = new Frontier(slice, filter);
    const admitted: EndedUrl[] = [];
    for await (const row of everyItem<JobUrl>(slice.table, frontier.#pk, 'URL#')) {
      const isQueued = row.outcome === undefined && row.notBefore === undefined;
      frontier.#known.add(row.sk.slice('URL#'.length), {
        isLeaf: row.isLeaf === true,
        isQueued,
        isNamed: row.isNamed === true,
      });
      if (hasEnded(row) && row.reason === OUT_OF_SCOPE && filter.refusal(row.url) === undefined) admitted.push(row);
    }
    await frontier.reopen(admitted, {}); // found before the site moved to this origin
    return frontier;
  }

  get #pk(): string {
    return `JOB#${this.#slice.job.jobId}`;
  }

  /** For a site that has moved. */
  useFilter(filter: UrlFilter): void {
    this.#filter = filter;
  }

  knows(url: string): boolean {
    return this.#known.has(urlHash(url));
  }

  /** Whether a sitemap or the canonical of another page names this URL, as far as is known by now. */
  isNamed(hash: string): boolean {
    return this.#known.isNamed(hash);
  }

  get size(): number {
    return this.#known.size;
  }

  get isFull(): boolean {
    return this.#known.isFull;
  }

  /** How many queued URLs are leaves: the limits reserve room for them. */
  get leaves(): number {
    return this.#known.queuedLeaves;
  }

  /**
   * The queued URLs of the least depth, leaves last, without expanded and postponed ones. `FetchScheduler` holds back
   * URLs that are deeper than a postponed one, so the depth at which a URL is first found is its least.
   */
  async shallowest(limit: number, from: 'links' | 'leaves' = 'links'): Promise<readonly QueuedUrl[]> {
    const prefix = from === 'links' ? QUEUED : QUEUED_LEAVES;
    const expanded = new Map(this.#expanded); // the answer may lack the links of a URL that is expanded meanwhile
    const items = await firstItems<QueuedUrl>(this.#slice.table, this.#pk, { prefix, limit });
    const unexpanded = items.filter((url) => !isAsTaken(url, expanded));
    const [first] = unexpanded;
    return unexpanded.filter(({ depth, isLeaf }) => depth === first?.depth && isLeaf === first.isLeaf);
  }

  /** The URLs that wait for their next try, the earliest first. */
  async postponed(limit: number): Promise<readonly QueuedUrl[]> {
    if (!this.#mayHavePostponed) return [];
    const before = this.#postponements;
    const items = await firstItems<QueuedUrl>(this.#slice.table, this.#pk, { prefix: POSTPONED, limit });
    if (before === this.#postponements) this.#mayHavePostponed = items.length > 0;
    return items.filter((url) => !this.isExpanded(url));
  }

  /** Call it when the links of these URLs are enqueued and their outcomes are about to be written. */
  markExpanded(urls: readonly QueuedUrl[]): void {
    for (const url of urls) this.#expanded.set(url.urlHash, url);
  }

  isExpanded(url: QueuedUrl): boolean {
    return isAsTaken(url, this.#expanded);
  }

  /** Call it for every URL that was postponed or has its outcome. */
  dequeued({ urlHash: hash, isLeaf }: QueuedUrl, isPostponed: boolean): void {
    this.#expanded.delete(hash);
    this.#known.dequeued(hash, isLeaf);
    if (!isPostponed) return;
    this.#postponements++;
    this.#mayHavePostponed = true;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.shallowest(1)).length === 0 && (await this.postponed(1)).length === 0;
  }

  /** A URL by its hash, if it is queued or postponed. */
  async find(hash: string): Promise<QueuedUrl | undefined> {
    const row = await this.#slice.table.get<JobUrl>(jobUrlKey(this.#slice.job.jobId, hash));
    return row && row.outcome === undefined ? asQueued(row) : undefined;
  }

  /** Takes outcomes back and enqueues the URLs again, changed as given. */
  async reopen(ended: readonly EndedUrl[], changed: Parameters<typeof reopenChanges>[2]): Promise<void> {
    for (let from = 0; from < ended.length; from += REOPENED_PER_WRITE) {
      const part = ended.slice(from, from + REOPENED_PER_WRITE);
      const add = { answered: -part.filter(isAnswered).length, ...outcomeCounts(part, -1) };
      const changes = part.flatMap((row) => reopenChanges(this.#slice.job.jobId, row, changed));
      await this.#slice.write(changes, { add });
    }
  }

  /** Enqueues new URLs, or records why not, and moves known ones to which a better way was found. Idempotent. */
  async add(found: readonly FoundUrl[]): Promise<void> {
    const { fresh, better, named } = this.#known.sort(found);
    const urls = [...fresh.values()];
    for (let from = 0; from < urls.length; from += ENQUEUED_PER_WRITE)
      await this.#enqueue(urls.slice(from, from + ENQUEUED_PER_WRITE));
    for (const [hash, url] of fresh)
      this.#known.add(hash, {
        isLeaf: url.isLeaf === true && !this.#refusal(url),
        isQueued: true,
        isNamed: url.isNamed === true,
      });
    await this.#improve(better);
    await this.#name([...named]);
  }

  async #enqueue(urls: readonly FoundUrl[]): Promise<void> {
    if (urls.length === 0) return;
    const links = urls.map((url) => {
      const ending = this.#refusal(url);
      return { url, ending, changes: enqueueChanges(this.#slice.job.jobId, url, ending) };
    });
    const add = { discovered: urls.length, ...outcomeCounts(links.flatMap(({ ending }) => ending ?? [])) };
    const changes = links.flatMap((link) => link.changes);
    const refused = new Set(await this.#slice.write(changes, { add }));
    // A refused URL was written by a call whose answer was lost: the others are written without it.
    const remaining = links.filter((link) => !link.changes.some((change) => refused.has(change)));
    if (refused.size > 0) await this.#enqueue(remaining.map(({ url }) => url));
  }

  #refusal({ url, depth, isStart }: FoundUrl): Ending | undefined {
    const reason = isStart ? undefined : this.#filter.refusal(url);
    if (reason !== undefined) return { outcome: 'skipped', reason };
    return depth > this.#slice.job.config.maxDepth ? TOO_DEEP : undefined;
  }

  async #improve(ways: ReadonlyMap<string, FoundUrl>): Promise<void> {
    if (ways.size === 0) return;
    const keys = [...ways.keys()].map((hash) => jobUrlKey(this.#slice.job.jobId, hash));
    for (const row of await this.#slice.table.getMany<JobUrl>(keys)) {
      const way = row && ways.get(urlHash(row.url));
      if (!row || !way) continue;
      if (row.isLeaf && !way.isLeaf) await this.#promoteLeaf(row, way.depth);
      else await this.#lowerDepth(row, way.depth);
    }
  }

  /** A leaf that a link leads to becomes an ordinary page, unless the link is too deep. */
  async #promoteLeaf(row: JobUrl, depth: number): Promise<void> {
    if (depth > this.#slice.job.config.maxDepth) return;
    if (!hasEnded(row)) await this.#requeue(row, { depth });
    else if (isAnswered(row)) await this.reopen([row], { depth, isLeaf: false });
    this.#known.promoted(urlHash(row.url));
  }

  async #lowerDepth(row: JobUrl, depth: number): Promise<void> {
    if (depth >= row.depth) return;
    const wasTooDeep = row.reason === TOO_DEEP.reason && depth <= this.#slice.job.config.maxDepth;
    if (!hasEnded(row)) await this.#requeue(row, { ...row, depth });
    else if (wasTooDeep) await this.reopen([row], { depth });
  }

  async #name(hashes: readonly string[]): Promise<void> {
    const { jobId } = this.#slice.job;
    for (let from = 0; from < hashes.length; from += NAMED_PER_WRITE) {
      const part = hashes.slice(from, from + NAMED_PER_WRITE);
      await this.#slice.write(part.map((hash) => nameChange(jobId, hash)));
      for (const hash of part) this.#known.named(hash);
    }
  }

  async #requeue(row: JobUrl, better: Pick<FoundUrl, 'depth' | 'isLeaf'>): Promise<void> {
    await this.#slice.write(requeueChanges(this.#slice.job.jobId, row, better));
  }
}

/** False for a URL that was moved in the queue since it was taken: it is fetched again. */
function isAsTaken(
  { urlHash: hash, depth, isLeaf = false }: QueuedUrl,
  taken: ReadonlyMap<string, QueuedUrl>,
): boolean {
  const then = taken.get(hash);
  return then !== undefined && then.depth === depth && (then.isLeaf ?? false) === isLeaf;
}

const hasEnded = (row: JobUrl): row is EndedUrl => row.outcome !== undefined;
const isAnswered = ({ status }: EndedUrl): boolean => status === 200 || status === 304;
