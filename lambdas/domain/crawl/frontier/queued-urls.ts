import { urlHash } from '../../../text/web/url.ts';
import { everyItem } from '../../every-item.ts';
import type { TableReader } from '../../ports/table.ts';
import { asQueued, type JobUrl, jobUrlKey, type QueuedUrl, URLS } from '../jobs/url-rows.ts';

/** Number of rows kept when their URLs are enqueued. Rows of URLs that are about to be visited are always kept. */
const KEPT_ROWS = 1000;

/** The ordered URLs of a job without an outcome. The order is in memory; a URL's row is read when its turn comes. */
export class QueuedUrls {
  readonly #jobId: string;
  readonly #table: TableReader;
  readonly #queue = new UrlQueue();
  /** Rows by URL hash, so that a URL waiting at the head of the queue is read once. */
  readonly #rows = new Map<string, QueuedUrl>();
  /** Number of failed writes, and how many of them preceded the last reading of the table. */
  #doubts = 0;
  #settledDoubts = 0;

  constructor(jobId: string, table: TableReader) {
    this.#jobId = jobId;
    this.#table = table;
  }

  /** Adds many URLs in any order. Call `sort` afterwards. */
  push(row: JobUrl): void {
    this.#queue.push(asQueued(row));
  }

  sort(): void {
    this.#queue.sort();
  }

  enter(url: QueuedUrl): void {
    this.#queue.add(url);
    if (this.#rows.size < KEPT_ROWS) this.#rows.set(url.urlHash, url);
    else this.#rows.delete(url.urlHash);
  }

  leave(url: QueuedUrl): void {
    this.#queue.remove(url);
    this.#rows.delete(url.urlHash);
  }

  /** Records that a write of queued URLs has failed. Only the table then knows which URLs are queued. */
  doubt(): void {
    this.#doubts++;
  }

  async first(part: Part, limit: number): Promise<readonly QueuedUrl[]> {
    await this.#readAgain();
    for (;;) {
      const keys = this.#queue.first(part, limit);
      const unread = new Set(keys.map(hashOf).filter((hash) => !this.#rows.has(hash)));
      for (const row of await this.read([...unread]))
        if (row && row.outcome === undefined) this.#rows.set(urlHash(row.url), asQueued(row));
      const wrong = keys.filter((key) => !this.#isAsQueued(key, part));
      if (wrong.length === 0) return keys.flatMap((key) => this.#rows.get(hashOf(key)) ?? []);
      for (const key of wrong) {
        // A row read after the key was seen is right: the URL was moved in the queue or has its outcome.
        if (unread.has(hashOf(key))) this.#queue.removeKey(part, key);
        this.#rows.delete(hashOf(key));
      }
    }
  }

  #isAsQueued(key: string, part: Part): boolean {
    const url = this.#rows.get(hashOf(key));
    return url !== undefined && partOf(url) === part && queueKey(url) === key;
  }

  async read(hashes: readonly string[]): Promise<readonly (JobUrl | undefined)[]> {
    return hashes.length === 0 ? [] : this.#table.getMany<JobUrl>(hashes.map((hash) => jobUrlKey(this.#jobId, hash)));
  }

  async #readAgain(): Promise<void> {
    const doubts = this.#doubts;
    if (doubts === this.#settledDoubts) return;
    const queue = new UrlQueue();
    for await (const row of everyItem<JobUrl>(this.#table, `JOB#${this.#jobId}`, URLS))
      if (row.outcome === undefined) queue.push(asQueued(row));
    queue.sort();
    this.#queue.merge(queue);
    this.#rows.clear();
    this.#settledDoubts = doubts;
  }
}

const hashOf = (key: string): string => key.slice(key.lastIndexOf('#') + 1);

const LAST_POSITION = 9999;
const digits = (value: number, width: number): string => String(value).padStart(width, '0');

type QueuedFields = Pick<QueuedUrl, 'url' | 'urlHash' | 'depth' | 'isStart' | 'isLeaf' | 'position' | 'notBefore'>;
export type Part = 'links' | 'leaves' | 'postponed';

/**
 * The order in which a job visits its queued URLs, in memory: about 12 MB for 200,000 URLs. Within a depth the start
 * page comes first, then URLs without a query, because calendars and shop filters are endless. Then come the first
 * links of all pages, so that a page with thousands of links does not delay the others
 * (docs/decisions/011-crawl-order.md).
 */
export class UrlQueue {
  readonly #parts: Readonly<Record<Part, SortedKeys>> = {
    links: new SortedKeys(),
    leaves: new SortedKeys(),
    postponed: new SortedKeys(),
  };

  /** Adds many URLs in any order. Call `sort` afterwards. */
  push(url: QueuedFields): void {
    this.#parts[partOf(url)].push(queueKey(url));
  }

  sort(): void {
    for (const part of Object.values(this.#parts)) part.sort();
  }

  add(url: QueuedFields): void {
    this.#parts[partOf(url)].add(queueKey(url));
  }

  remove(url: QueuedFields): void {
    this.#parts[partOf(url)].remove(queueKey(url));
  }

  /** Adds the keys that only the other, sorted queue has. */
  merge(other: UrlQueue): void {
    for (const [part, keys] of Object.entries(this.#parts)) keys.merge(other.#parts[part as Part]);
  }

  /** Returns the keys of the first URLs of a part. */
  first(part: Part, limit: number): readonly string[] {
    return this.#parts[part].first(limit);
  }

  removeKey(part: Part, key: string): void {
    this.#parts[part].remove(key);
  }
}

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export function partOf({ notBefore, isLeaf }: QueuedFields): Part {
  if (notBefore !== undefined) return 'postponed';
  return isLeaf ? 'leaves' : 'links';
}

/** Returns a URL's key, which ends with its hash. */
export function queueKey({ url, urlHash, depth, isStart, isLeaf, position = 0, notBefore }: QueuedFields): string {
  if (notBefore !== undefined) return `${digits(notBefore, 14)}#${urlHash}`;
  if (isLeaf) return `#${urlHash}`;
  const rank = isStart ? 0 : url.includes('?') ? 2 : 1;
  return `${digits(depth, 3)}#${rank}${digits(Math.min(position, LAST_POSITION), 4)}#${urlHash}`;
}

/** A sorted list of distinct strings. */
class SortedKeys {
  #keys: string[] = [];

  push(key: string): void {
    this.#keys.push(key);
  }

  sort(): void {
    this.#keys.sort(byCode);
  }

  add(key: string): void {
    const index = this.#indexOf(key);
    if (this.#keys[index] !== key) this.#keys.splice(index, 0, key);
  }

  merge(other: SortedKeys): void {
    const all = [...this.#keys, ...other.#keys].sort(byCode);
    this.#keys = all.filter((key, index) => key !== all[index - 1]);
  }

  remove(key: string): void {
    const index = this.#indexOf(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  first(limit: number): readonly string[] {
    return this.#keys.slice(0, limit);
  }

  /** Returns the index of the first key that is not smaller. */
  #indexOf(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
