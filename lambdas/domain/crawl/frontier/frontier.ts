import { urlHash } from '../../../text/web/url.ts';
import { everyItem, firstItems } from '../../every-item.ts';
import type { Change } from '../../ports/table.ts';
import { outcomeCounts } from '../jobs/outcome-counts.ts';
import type { Slice } from '../jobs/slice.ts';
import {
  asQueued,
  declaredChange,
  type EndedUrl,
  type Ending,
  enqueueChanges,
  type FoundUrl,
  type JobUrl,
  jobUrlKey,
  movedRow,
  type NextTry,
  type QueuedUrl,
  reopenChanges,
  requeueChanges,
  URLS,
} from '../jobs/url-rows.ts';
import { KnownUrls } from './known-urls.ts';
import { QueuedUrls } from './queued-urls.ts';
import type { FilterRefusal, UrlFilter } from './url-filter.ts';

const OUT_OF_SCOPE: FilterRefusal = 'out_of_scope';
const TOO_DEEP: Ending = { outcome: 'skipped', reason: 'too_deep' };

const ENQUEUED_PER_WRITE = 49; // two items each and the job's own, within the 100 of a write
const REOPENED_PER_WRITE = 32; // three items each
const NAMED_PER_WRITE = 99;

/** The queue of a job's URLs, as seen by the worker that holds the lease. */
export class Frontier {
  readonly #slice: Slice;
  readonly #known: KnownUrls;
  readonly #queued: QueuedUrls;
  /** Links enqueued, outcome not yet committed. These no longer block the next depth. */
  readonly #expanded = new Map<string, QueuedUrl>();
  #filter: UrlFilter;

  private constructor(slice: Slice, filter: UrlFilter) {
    this.#slice = slice;
    this.#filter = filter;
    this.#known = new KnownUrls(slice.job.config.maxDepth);
    this.#queued = new QueuedUrls(slice.job.jobId, slice.table);
  }

  static async open(slice: Slice, filter: UrlFilter): Promise<Frontier> {
    const frontier = new Frontier(slice, filter);
    const admitted: EndedUrl[] = [];
    for await (const row of everyItem<JobUrl>(slice.table, frontier.#pk, URLS)) {
      const isQueued = row.outcome === undefined && row.notBefore === undefined;
      frontier.#known.add(row.sk.slice(URLS.length), {
        isLeaf: row.isLeaf === true,
        isQueued,
        isNamed: row.isNamed === true,
      });
      if (!hasEnded(row)) frontier.#queued.push(row);
      else if (row.reason === OUT_OF_SCOPE && filter.refusal(row.url) === undefined) admitted.push(row);
    }
    frontier.#queued.sort();
    await frontier.reopen(admitted, {}); // their links were found before the site movedRow to this origin
    return frontier;
  }

  get #pk(): string {
    return `JOB#${this.#slice.job.jobId}`;
  }

  /** Replaces the filter. Call it when the site has movedRow. */
  useFilter(filter: UrlFilter): void {
    this.#filter = filter;
  }

  knows(url: string): boolean {
    return this.#known.has(urlHash(url));
  }

  /** Returns whether a sitemap, or another page as its canonical, is known to name this URL. */
  isNamed(hash: string): boolean {
    return this.#known.isNamed(hash);
  }

  get size(): number {
    return this.#known.size;
  }

  get isFull(): boolean {
    return this.#known.isFull;
  }

  /** Number of queued leaves, for which the limits reserve room. */
  get leaves(): number {
    return this.#known.queuedLeaves;
  }

  /**
   * Returns the queued URLs of the least depth, leaves last, without expanded and postponed ones. `FetchScheduler`
   * holds back URLs that are deeper than a postponed one, so a URL is first found at its least depth.
   */
  async shallowest(limit: number, from: 'links' | 'leaves' = 'links'): Promise<readonly QueuedUrl[]> {
    const expanded = new Map(this.#expanded); // the answer lacks the links of a URL expanded during the read
    const links = from === 'links' ? await this.#queued.first('links', limit) : [];
    const leaves = links.length < limit ? await this.#queued.first('leaves', limit - links.length) : [];
    const unexpanded = [...links, ...leaves].filter((url) => !isAsTaken(url, expanded));
    const [first] = unexpanded;
    return unexpanded.filter(({ depth, isLeaf }) => depth === first?.depth && isLeaf === first.isLeaf);
  }

  /** Returns the URLs that wait for their next try, the earliest first. */
  async postponed(limit: number): Promise<readonly QueuedUrl[]> {
    return (await this.#queued.first('postponed', limit)).filter((url) => !this.isExpanded(url));
  }

  async #write(...write: Parameters<Slice['write']>): Promise<readonly Change[]> {
    try {
      return await this.#slice.write(...write);
    } catch (error) {
      this.#queued.doubt();
      throw error;
    }
  }

  /** Marks URLs as expanded. Call it when their links are enqueued and their outcomes are about to be written. */
  markExpanded(urls: readonly QueuedUrl[]): void {
    for (const url of urls) this.#expanded.set(url.urlHash, url);
  }

  isExpanded(url: QueuedUrl): boolean {
    return isAsTaken(url, this.#expanded);
  }

  /** Removes a URL from the queue. Call it for every URL that was postponed, with its next try, or has its outcome. */
  dequeued(url: QueuedUrl, next?: NextTry): void {
    this.#expanded.delete(url.urlHash);
    this.#known.dequeued(url.urlHash, url.isLeaf);
    this.#queued.leave(url);
    if (next) this.#queued.enter({ ...url, ...next });
  }

  /** Puts URLs into the queue as stored in the table. Call it for URLs whose outcome or next try was refused. */
  async reload(urls: readonly QueuedUrl[]): Promise<void> {
    const rows = await this.#queued.read(urls.map(({ urlHash: hash }) => hash));
    for (const url of urls) this.dequeued(url);
    for (const row of rows) if (row && !hasEnded(row)) this.#queued.enter(asQueued(row));
  }

  async isEmpty(): Promise<boolean> {
    return (await this.shallowest(1)).length === 0 && (await this.postponed(1)).length === 0;
  }

  /** Finds a queued or postponed URL by its mark (`urlMark`). */
  async find(mark: string): Promise<QueuedUrl | undefined> {
    const [row] = await firstItems<JobUrl>(this.#slice.table, this.#pk, { prefix: URLS + mark, limit: 1 });
    return row && row.outcome === undefined ? asQueued(row) : undefined;
  }

  /** Revokes outcomes and enqueues the URLs again with the given changes. */
  async reopen(ended: readonly EndedUrl[], changed: Parameters<typeof reopenChanges>[2]): Promise<void> {
    for (let from = 0; from < ended.length; from += REOPENED_PER_WRITE) {
      const part = ended.slice(from, from + REOPENED_PER_WRITE);
      const add = { answered: -part.filter(isAnswered).length, ...outcomeCounts(part, -1) };
      const changes = part.flatMap((row) => reopenChanges(this.#slice.job.jobId, row, changed));
      await this.#write(changes, { add });
      for (const { notBefore: _, ...row } of part) this.#queued.enter({ ...asQueued(row), ...changed });
    }
  }

  /** Enqueues new URLs, or records why not, and moves known URLs to which a better way was found. Idempotent. */
  async add(found: readonly FoundUrl[]): Promise<void> {
    const { fresh, better, named } = this.#known.sort(found);
    const urls = [...fresh.values()];
    for (let from = 0; from < urls.length; from += ENQUEUED_PER_WRITE)
      await this.#enqueue(urls.slice(from, from + ENQUEUED_PER_WRITE));
    for (const [hash, url] of fresh) {
      const isQueued = this.#refusal(url) === undefined;
      this.#known.add(hash, { isLeaf: url.isLeaf === true && isQueued, isQueued, isNamed: url.isNamed === true });
      if (isQueued) this.#queued.enter(asQueued(url));
    }
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
    const refused = new Set(await this.#write(changes, { add }));
    // An earlier write, whose answer was lost, has enqueued the refused URLs. The others are written without them.
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
    const changed = new Map<string, FoundUrl>();
    for (const row of await this.#slice.table.getMany<JobUrl>(keys)) {
      const hash = row && urlHash(row.url);
      const way = hash && ways.get(hash);
      if (way && !(await this.#useWay(row, way))) changed.set(hash, way);
    }
    await this.#improve(changed); // ends, because a row changes only a few times
  }

  /** Returns false if the row has changed since it was read, because the visit of its URL was committed. */
  #useWay(row: JobUrl, way: FoundUrl): Promise<boolean> {
    return row.isLeaf && !way.isLeaf ? this.#promoteLeaf(row, way.depth) : this.#lowerDepth(row, way.depth);
  }

  /** Makes a leaf an ordinary page because a link leads to it, unless the link is too deep. */
  async #promoteLeaf(row: JobUrl, depth: number): Promise<boolean> {
    if (depth > this.#slice.job.config.maxDepth) return true;
    if (!hasEnded(row) && !(await this.#requeue(row, { depth }))) return false;
    if (hasEnded(row) && isAnswered(row)) await this.reopen([row], { depth, isLeaf: false });
    this.#known.promoted(urlHash(row.url));
    return true;
  }

  async #lowerDepth(row: JobUrl, depth: number): Promise<boolean> {
    if (depth >= row.depth) return true;
    const wasTooDeep = row.reason === TOO_DEEP.reason && depth <= this.#slice.job.config.maxDepth;
    if (!hasEnded(row)) return this.#requeue(row, { ...row, depth });
    if (wasTooDeep) await this.reopen([row], { depth });
    return true;
  }

  async #name(hashes: readonly string[]): Promise<void> {
    const { jobId } = this.#slice.job;
    for (let from = 0; from < hashes.length; from += NAMED_PER_WRITE) {
      const part = hashes.slice(from, from + NAMED_PER_WRITE);
      await this.#slice.write(part.map((hash) => declaredChange(jobId, hash)));
      for (const hash of part) this.#known.named(hash);
    }
  }

  async #requeue(row: JobUrl, better: Pick<FoundUrl, 'depth' | 'isLeaf'>): Promise<boolean> {
    const before = asQueued(row);
    const after = movedRow(before, better);
    const refused = await this.#write(requeueChanges(this.#slice.job.jobId, before, after));
    if (refused.length > 0) return false;
    this.#queued.leave(before);
    this.#queued.enter(after);
    return true;
  }
}

/** Returns false for a URL that was movedRow in the queue after it was taken. It is fetched again. */
function isAsTaken(
  { urlHash: hash, depth, isLeaf = false }: QueuedUrl,
  taken: ReadonlyMap<string, QueuedUrl>,
): boolean {
  const then = taken.get(hash);
  return then !== undefined && then.depth === depth && (then.isLeaf ?? false) === isLeaf;
}

const hasEnded = (row: JobUrl): row is EndedUrl => row.outcome !== undefined;
const isAnswered = ({ status }: EndedUrl): boolean => status === 200 || status === 304;
