import { everyItem } from '../../every-item.ts';
import type { TableReader } from '../../ports/table.ts';
import { urlHash } from '../../web/url.ts';
import { asQueued, type JobUrl, jobUrlKey, type QueuedUrl, URLS } from './frontier-rows.ts';
import { keyOf, type Part, partOf, UrlQueue } from './url-queue.ts';

/** Rows of URLs that are kept when they are enqueued. The rows of URLs that are about to be visited are kept always. */
const KEPT_ROWS = 1000;

/**
 * The URLs of a job without an outcome, in their order: the order is in memory, the URLs are read when their turn
 * comes.
 */
export class QueuedUrls {
  readonly #jobId: string;
  readonly #table: TableReader;
  readonly #queue = new UrlQueue();
  /** By hash: so a URL that waits at the head of the queue is read once. */
  readonly #rows = new Map<string, QueuedUrl>();
  /** Writes that failed, and those of them after which the table was read again. */
  #doubts = 0;
  #settledDoubts = 0;

  constructor(jobId: string, table: TableReader) {
    this.#jobId = jobId;
    this.#table = table;
  }

  /** Takes many URLs in, in any order; `sort` must follow. */
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

  /** Call it when a write of queued URLs has failed: only the table knows then which URLs are queued. */
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
        // What was read after the key was seen counts: the URL was moved in the queue or has its outcome.
        if (unread.has(hashOf(key))) this.#queue.removeKey(part, key);
        this.#rows.delete(hashOf(key));
      }
    }
  }

  #isAsQueued(key: string, part: Part): boolean {
    const url = this.#rows.get(hashOf(key));
    return url !== undefined && partOf(url) === part && keyOf(url) === key;
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
