import type { IndexEntry, PageRef } from '../../lambdas/domain/ports/page-index.ts';
import type { Scheduler } from './scheduler.ts';

const MAX_REFRESH_MS = 5000;
/** The time for which OpenSearch remembers the revision of a removal (`gc_deletes`). */
const REMEMBERED_MS = 5 * 60_000;

type Indexed = { readonly entry: IndexEntry; readonly visibleAt: number };

/** The entries of a simulated index. An entry becomes visible late, and a bulk removal removes visible entries only. */
export class PageIndexState {
  readonly #scheduler: Scheduler;
  readonly #entries = new Map<string, Indexed>();
  readonly #removals = new Map<string, { readonly revision: number; readonly at: number }>();

  readonly #rememberedMs: number;

  constructor(scheduler: Scheduler, rememberedMs = REMEMBERED_MS) {
    this.#scheduler = scheduler;
    this.#rememberedMs = rememberedMs;
  }

  put(entry: IndexEntry, visible: 'now' | 'soon'): void {
    const before = this.#entries.get(keyOfPage(entry));
    if (before && before.entry.revision > entry.revision) return;
    if (this.#remembers(entry)) return;
    const visibleAt = this.#scheduler.now + (visible === 'soon' ? MAX_REFRESH_MS : 0);
    // Until a search finds the new entry, it finds the previous one, which is the same if the revision is.
    const isRepeated = before?.entry.revision === entry.revision;
    this.#entries.set(keyOfPage(entry), {
      entry,
      visibleAt: isRepeated ? Math.min(before.visibleAt, visibleAt) : visibleAt,
    });
  }

  refresh(): void {
    const { now } = this.#scheduler;
    for (const [key, { entry, visibleAt }] of this.#entries)
      this.#entries.set(key, { entry, visibleAt: Math.min(visibleAt, now) });
  }

  get(page: PageRef): IndexEntry | undefined {
    return this.#entries.get(keyOfPage(page))?.entry;
  }

  remove(page: PageRef & { readonly revision: number }): void {
    const before = this.get(page);
    if ((before && before.revision > page.revision) || this.#remembers(page)) return;
    this.#entries.delete(keyOfPage(page));
    this.#removals.set(keyOfPage(page), { revision: page.revision, at: this.#scheduler.now });
  }

  /** Tells whether the page was removed with this revision or a higher one. */
  #remembers(page: PageRef & { readonly revision: number }): boolean {
    const removal = this.#removals.get(keyOfPage(page));
    return (
      removal !== undefined &&
      removal.revision >= page.revision &&
      this.#scheduler.now - removal.at < this.#rememberedMs
    );
  }

  /** All entries, or only those that a search finds. */
  of(siteId: string, which: 'all' | 'visible' = 'all'): readonly IndexEntry[] {
    const { now } = this.#scheduler;
    return [...this.#entries.values()].flatMap(({ entry, visibleAt }) =>
      entry.siteId === siteId && (which === 'all' || visibleAt <= now) ? [entry] : [],
    );
  }
}

const keyOfPage = ({ siteId, generation, urlHash }: PageRef): string => `${siteId} ${generation} ${urlHash}`;
