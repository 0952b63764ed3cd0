import type { ReadContent } from '../../lambdas/connectors/pdf/pdf-reader.ts';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import type { FetchedPage } from '../../lambdas/text/fetched-page.ts';

/** The time after which a page counts as slow. A usual page takes 10 ms, a very large one half a second. */
const SLOW_MS = 500;
const SLOW_FOR_MS = 60_000;
/** After such a pause, the thread may have to start, which takes longer than a page. */
const PAUSE_MS = 30_000;
/** The number of pages sent to a thread at once, so that its next page is always there. */
const AT_ONCE = 2;

type Read = (page: FetchedPage) => Promise<ReadContent>;
type Waiting = { readonly page: FetchedPage } & PromiseWithResolvers<ReadContent>;

/** The queue of a thread that reads one page after another. */
class Lane {
  readonly read: Read;
  /** Waiting pages by organisation. The first entry has the next turn. */
  readonly waiting = new Map<string, Waiting[]>();
  reading = 0;
  lastEnd = -Infinity;

  constructor(read: Read) {
    this.read = read;
  }

  add(orgId: string, pages: readonly Waiting[]): void {
    this.waiting.set(orgId, [...(this.waiting.get(orgId) ?? []), ...pages]);
  }

  take(orgId: string): readonly Waiting[] {
    const pages = this.waiting.get(orgId) ?? [];
    this.waiting.delete(orgId);
    return pages;
  }
}

/**
 * Lets organisations take turns in reading pages. For a minute after a page that took half a second, another thread
 * reads the pages of its organisation, so that they delay only those of other such organisations.
 */
export class ReadingTurns {
  readonly #quick: Lane;
  readonly #slow: Lane;
  readonly #slowUntil = new Map<string, number>();

  constructor(quick: Read, slow: Read) {
    [this.#quick, this.#slow] = [new Lane(quick), new Lane(slow)];
  }

  read(page: FetchedPage, orgId: string): Promise<ReadContent> {
    const waiting = { page, ...Promise.withResolvers<ReadContent>() };
    const lane = (this.#slowUntil.get(orgId) ?? 0) > performance.now() ? this.#slow : this.#quick;
    lane.add(orgId, [waiting]);
    this.#fill(lane);
    return waiting.promise;
  }

  /** Stops the reading. The waiting pages fail. */
  stop(): void {
    for (const lane of [this.#quick, this.#slow])
      for (const orgId of lane.waiting.keys())
        for (const { reject } of lane.take(orgId)) reject(new UnavailableError('The reading of pages was stopped'));
  }

  #fill(lane: Lane): void {
    for (const [orgId] of lane.waiting) {
      if (lane.reading >= AT_ONCE) return;
      const [next, ...others] = lane.take(orgId);
      if (others.length > 0) lane.add(orgId, others); // these get the last turn
      if (next) void this.#readIn(lane, next, orgId);
    }
  }

  async #readIn(lane: Lane, { page, resolve, reject }: Waiting, orgId: string): Promise<void> {
    lane.reading += 1;
    const posted = performance.now();
    await lane.read(page).then(resolve, reject);
    lane.reading -= 1;
    const ended = performance.now();
    const isFirst = posted - lane.lastEnd > PAUSE_MS;
    if (!isFirst && ended - Math.max(posted, lane.lastEnd) > SLOW_MS) this.#markSlow(orgId, ended);
    lane.lastEnd = ended;
    this.#fill(lane);
  }

  /** Marks an organisation as slow, and moves its waiting pages to the other thread. */
  #markSlow(orgId: string, now: number): void {
    for (const [known, until] of this.#slowUntil) if (until <= now) this.#slowUntil.delete(known);
    this.#slowUntil.set(orgId, now + SLOW_FOR_MS);
    const pages = this.#quick.take(orgId);
    if (pages.length === 0) return;
    this.#slow.add(orgId, pages);
    this.#fill(this.#slow);
  }
}
