import { defined } from '../../../text/defined.ts';
import type { SourcedFields } from '../../../text/fields/field-source.ts';
import { DamagedStoreError, type Report, StoreFullError, UnavailableError } from '../../errors.ts';
import { pagesLimit } from '../../sites/access/plan.ts';
import type { IngestEnrichment } from '../enrichment/ingest-enrichment.ts';
import { type KeyTake, takeKeys } from '../page-keys.ts';
import { type RegisteredPage, readRows } from '../page-registry.ts';
import type { PageDeps, PageDraft, PageWriter } from '../page-writer.ts';
import { type Written, writePages } from '../write-pages.ts';
import { draftOf, type IngestItem, isUnchanged } from './ingest-item.ts';
import { ingestBatches, rounds } from './ingest-order.ts';

/** An error that the page did not cause. */
type Outage = UnavailableError | DamagedStoreError;

/** The result of a page. `because`: the page failed because the site is full or a service is unavailable. */
export type PageEnd = {
  readonly status: 'success' | 'skipped' | 'error';
  readonly error?: string;
  readonly because?: 'full' | 'unavailable';
  readonly chunks?: number;
  readonly isNew?: boolean;
  readonly processingTimeMs?: number;
};

export type RunDeps = PageDeps & {
  readonly sleep: (ms: number) => Promise<void>;
  readonly report: Report;
};

const CONCURRENCY = 4;
/** Maximum number of attempts to write a page that other writers keep changing. */
const ATTEMPTS = 10;

const BUSY: PageEnd = { status: 'error', error: 'Other requests are writing this page: send it again' };
const unavailable = (outage: Outage): PageEnd => ({
  status: 'error',
  because: 'unavailable',
  error: outage instanceof UnavailableError ? 'It could not be stored right now: send it again' : outage.message,
});
const FAULT: PageEnd = { status: 'error', error: 'Something went wrong on our side with this page' };
const NO_TEXT: PageEnd = { status: 'error', error: 'There is no text in the content' };
const SITE_CHANGED: PageEnd = { status: 'error', error: 'The site was purged or deleted meanwhile' };

/** Returns whether a page is new. A page that has moved to another URL is not. */
const isNew = ({ before, replaces = [] }: PageDraft): boolean => before === undefined && replaces.length === 0;

type Work = { readonly item: IngestItem; readonly before: RegisteredPage | undefined };
type Drafted = { readonly item: IngestItem; readonly draft: PageDraft; readonly started: number };

export type IngestRunOptions = {
  readonly writer: PageWriter;
  readonly enrichment: Pick<IngestEnrichment, 'enriched'>;
  readonly fields: SourcedFields;
  /** Maximum number of pages of the site, and their number when the site was read. */
  readonly maxPages: number;
  readonly pageCount: number;
  /** No batch starts after this moment, in epoch milliseconds. */
  readonly deadline: number;
  readonly deps: RunDeps;
};

/** Runs one request. `ends` fills up as pages finish; a page that is not in it was not finished. */
export class IngestRun {
  readonly ends = new Map<IngestItem, PageEnd>();
  /** Why pages could not be stored; a lasting reason takes precedence. */
  outage: Outage | undefined;
  readonly #options: IngestRunOptions;
  /** URL hashes of admitted new pages. A second attempt does not count a page again. */
  readonly #admitted = new Set<string>();
  /** URL hashes of all pages of the request. */
  readonly #urlHashes = new Set<string>();

  constructor(options: IngestRunOptions) {
    this.#options = options;
  }

  /** Writes the pages. Pages with the same URL are written in order, so that the last one stays. */
  async work(items: readonly IngestItem[]): Promise<void> {
    for (const { urlHash } of items) this.#urlHashes.add(urlHash);
    for (const round of rounds(items)) {
      const waiting = ingestBatches(round).values();
      const workBatches = async () => {
        for (const batch of waiting) await this.#workBatch(batch);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, workBatches));
    }
  }

  /** Writes a batch. If it fails because of a page, each page is tried alone. */
  async #workBatch(items: readonly IngestItem[]): Promise<void> {
    const { clock, report } = this.#options.deps;
    if (clock() >= this.#options.deadline) return;
    try {
      await this.#write(await this.#changed(items));
    } catch (error) {
      const left = items.filter((item) => !this.ends.has(item));
      if (error instanceof UnavailableError || error instanceof DamagedStoreError) {
        this.#note(error);
        return this.#end(left, unavailable(error));
      }
      report('a page could not be ingested', error);
      if (items.length === 1) this.#end(left, FAULT);
      else for (const item of left) await this.#workBatch([item]);
    }
  }

  #note(outage: Outage): void {
    const isLasting = outage instanceof DamagedStoreError || outage instanceof StoreFullError;
    if (isLasting) this.outage = outage;
    else this.outage ??= outage;
  }

  async #changed(items: readonly IngestItem[]): Promise<readonly Work[]> {
    const { writer, deps } = this.#options;
    const started = deps.clock();
    const rows = await readRows(writer.site, items, deps.table);
    return items.flatMap((item) => {
      const before = rows.get(item.urlHash);
      if (!isUnchanged(item, before, this.#options.fields)) return { item, before };
      const processingTimeMs = deps.clock() - started;
      this.ends.set(item, { status: 'skipped', chunks: before.chunks, isNew: false, processingTimeMs });
      return [];
    });
  }

  async #write(work: readonly Work[]): Promise<void> {
    const { writer, deps } = this.#options;
    let left = await this.#drafted(work);
    for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
      const drafts = left.map(({ draft }) => draft);
      const written = await writePages(drafts, writer, deps);
      for (const page of left) {
        const end = this.#endOf(page, written.get(page.draft) ?? 'overtaken');
        if (end) this.#end([page.item], end);
      }
      left = await this.#redrafted(left.filter(({ item }) => !this.ends.has(item)));
    }
    this.#end(
      left.map(({ item }) => item),
      BUSY,
    );
  }

  /** Extracts the contents one by one, so that this thread can answer other requests in between. */
  async #drafted(work: readonly Work[]): Promise<readonly Drafted[]> {
    const { enrichment, deps } = this.#options;
    const { clock, sleep } = deps;
    const drafted: Drafted[] = [];
    const takes = await this.#takeKeys(work);
    for (const { item, before } of work) {
      const started = clock();
      const draft = draftOf(item, before, this.#options.fields, clock);
      const take = takes.get(item.urlHash);
      if (!draft) this.#end([item], NO_TEXT);
      else if (before || take?.replaces.length || this.#admits(item))
        drafted.push({ item, draft: { ...(await enrichment.enriched(draft, item)), ...take }, started });
      else this.#end([item], this.#full());
      await sleep(0);
    }
    return drafted;
  }

  /** Drafts overtaken pages again, to replace their present rows. */
  async #redrafted(overtaken: readonly Drafted[]): Promise<readonly Drafted[]> {
    const changed = await this.#changed(overtaken.map(({ item }) => item));
    const takes = await this.#takeKeys(changed);
    const beforeOf = new Map(changed.map(({ item, before }) => [item, before]));
    return overtaken.flatMap((page) => {
      if (!beforeOf.has(page.item)) return [];
      const { replaces = [], alsoWritten = [] } = takes.get(page.item.urlHash) ?? {};
      return { ...page, draft: { ...page.draft, before: beforeOf.get(page.item), replaces, alsoWritten } };
    });
  }

  #takeKeys(work: readonly Work[]): Promise<ReadonlyMap<string, KeyTake>> {
    const pages = work.map(({ item: { url, urlHash, input }, before }) => {
      const { key } = input;
      return { url, urlHash, before, ...defined({ key }) };
    });
    return takeKeys(this.#options.writer.site, pages, this.#urlHashes, this.#options.deps);
  }

  #admits({ urlHash }: IngestItem): boolean {
    const { maxPages, pageCount } = this.#options;
    if (pageCount + this.#admitted.size < maxPages) this.#admitted.add(urlHash);
    return this.#admitted.has(urlHash);
  }

  /** Returns undefined for an overtaken page, because it is tried again. */
  #endOf({ draft, started }: Drafted, written: Written): PageEnd | undefined {
    if (written === 'overtaken') return undefined;
    if (written === 'no_room') return this.#full();
    if (written === 'revoked') return SITE_CHANGED;
    const processingTimeMs = this.#options.deps.clock() - started;
    return { status: 'success', chunks: written.chunks, isNew: isNew(draft), processingTimeMs };
  }

  #full(): PageEnd {
    const { maxPages, pageCount } = this.#options;
    return { status: 'error', error: pagesLimit(maxPages, Math.max(maxPages, pageCount)), because: 'full' };
  }

  #end(items: readonly IngestItem[], end: PageEnd): void {
    for (const item of items) this.ends.set(item, end);
  }
}
