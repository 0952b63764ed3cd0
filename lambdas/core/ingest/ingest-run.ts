import type { Clock } from '../clock.ts';
import { type Report, UnavailableError } from '../errors.ts';
import { pageKey, type RegisteredPage } from '../pages/page-registry.ts';
import {
  type Draft,
  type EntryMaker,
  type Refusal,
  type Target,
  type WriteDeps,
  writePages,
} from '../pages/write-pages.ts';
import { draftOf, type IngestItem, isUnchanged } from './ingest-item.ts';

/** What became of a page, and whether it failed because the site is full or a service is away. */
export type PageEnd = {
  readonly status: 'success' | 'skipped' | 'error';
  readonly error?: string;
  readonly because?: 'full' | 'away';
  readonly chunks?: number;
  readonly isNew?: boolean;
  readonly processingTimeMs?: number;
};

export type RunDeps = WriteDeps & {
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly report: Report;
};

/** Batches that are worked at once, and their bounds. */
const LANES = 4;
const PAGES_A_BATCH = 10;
const CHARACTERS_A_BATCH = 400_000;
/** Of a page that other writers write meanwhile. */
const ATTEMPTS = 10;

const BUSY: PageEnd = { status: 'error', error: 'Other requests are writing this page: send it again' };
const AWAY: PageEnd = { status: 'error', error: 'It could not be stored right now: send it again', because: 'away' };
const FAULT: PageEnd = { status: 'error', error: 'Something went wrong on our side with this page' };
const NO_TEXT: PageEnd = { status: 'error', error: 'There is no text in the content' };
const SITE_CHANGED: PageEnd = { status: 'error', error: 'The site was purged or deleted meanwhile' };

type Work = { readonly item: IngestItem; readonly before: RegisteredPage | undefined };
type Drafted = { readonly item: IngestItem; readonly draft: Draft; readonly started: number };

export type IngestRunOptions = {
  readonly target: Target;
  /** So many new pages the site has room for. */
  readonly room: number;
  /** No batch is begun after it. */
  readonly deadline: number;
  readonly makeEntries: EntryMaker;
  readonly deps: RunDeps;
};

/** The work of one request. `ends` fills up as it goes on; a page that is not in it was not finished. */
export class IngestRun {
  readonly ends = new Map<number, PageEnd>();
  readonly #options: IngestRunOptions;
  /** The addresses of new pages that have had some of the room: one that is tried again takes no more. */
  readonly #placed = new Set<string>();

  constructor(options: IngestRunOptions) {
    this.#options = options;
  }

  /** Pages with the same address are written one after the other, so that the last one stays. */
  async work(items: readonly IngestItem[]): Promise<void> {
    for (const round of rounds(items)) {
      const waiting = batches(round).values();
      const lane = async () => {
        for (const batch of waiting) await this.#workBatch(batch);
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    }
  }

  /** Should one page make the whole batch fail, each is tried alone. */
  async #workBatch(items: readonly IngestItem[]): Promise<void> {
    const { clock, report } = this.#options.deps;
    if (clock() >= this.#options.deadline) return;
    try {
      await this.#write(await this.#changed(items));
    } catch (error) {
      const left = items.filter(({ place }) => !this.ends.has(place));
      const isAway = error instanceof UnavailableError;
      if (!isAway) report('a page could not be ingested', error);
      if (isAway || items.length === 1) this.#end(left, isAway ? AWAY : FAULT);
      else for (const item of left) await this.#workBatch([item]);
    }
  }

  /** Ends those that are there already; answers the others with their rows. */
  async #changed(items: readonly IngestItem[]): Promise<readonly Work[]> {
    const { target, deps } = this.#options;
    const started = deps.clock();
    const keys = items.map((item) => pageKey(target.siteId, target.generation, item));
    const rows = await deps.table.getMany<RegisteredPage>(keys);
    return items.flatMap((item, place) => {
      const before = rows[place];
      if (!isUnchanged(item, before)) return { item, before };
      const processingTimeMs = deps.clock() - started;
      this.ends.set(item.place, { status: 'skipped', chunks: before.chunks, isNew: false, processingTimeMs });
      return [];
    });
  }

  async #write(work: readonly Work[]): Promise<void> {
    const { target, makeEntries, deps } = this.#options;
    let drafted = await this.#drafted(work);
    for (let attempt = 0; attempt < ATTEMPTS && drafted.length > 0; attempt++) {
      const drafts = drafted.map(({ draft }) => draft);
      const written = await writePages(drafts, target, makeEntries, deps);
      for (const [place, page] of drafted.entries()) {
        const end = this.#endOf(page, written[place] ?? 'overtaken');
        if (end) this.#end([page.item], end);
      }
      const overtaken = drafted.filter(({ item }) => !this.ends.has(item.place));
      const again = await this.#changed(overtaken.map(({ item }) => item));
      drafted = overtaken.flatMap((page) => {
        const now = again.find(({ item }) => item === page.item);
        return now ? { ...page, draft: { ...page.draft, before: now.before } } : [];
      });
    }
    this.#end(
      drafted.map(({ item }) => item),
      BUSY,
    );
  }

  /** Reads the contents, page by page, so that other requests of this thread have their turn. */
  async #drafted(work: readonly Work[]): Promise<readonly Drafted[]> {
    const { clock, sleep } = this.#options.deps;
    const drafted: Drafted[] = [];
    for (const { item, before } of work) {
      const started = clock();
      const draft = draftOf(item, before, clock);
      if (!draft) this.#end([item], NO_TEXT);
      else if (before?.counted || this.#isPlaced(item)) drafted.push({ item, draft, started });
      else this.#end([item], this.#full());
      await sleep(0);
    }
    return drafted;
  }

  #isPlaced({ urlHash }: IngestItem): boolean {
    if (this.#placed.size < this.#options.room) this.#placed.add(urlHash);
    return this.#placed.has(urlHash);
  }

  /** How a page was written; one that was overtaken has no end yet. */
  #endOf({ draft, started }: Drafted, written: RegisteredPage | Refusal): PageEnd | undefined {
    if (written === 'overtaken') return undefined;
    if (written === 'no_room') return this.#full();
    if (written === 'site_changed') return SITE_CHANGED;
    const processingTimeMs = this.#options.deps.clock() - started;
    return { status: 'success', chunks: written.chunks, isNew: !draft.before?.counted, processingTimeMs };
  }

  #full(): PageEnd {
    const { mostPages } = this.#options.target;
    const error = `The plan holds ${mostPages} pages a site: delete some or change the plan`;
    return { status: 'error', error, because: 'full' };
  }

  #end(items: readonly IngestItem[], end: PageEnd): void {
    for (const { place } of items) this.ends.set(place, end);
  }
}

/** The first page of each address, then the second, and so on. */
function rounds(items: readonly IngestItem[]): readonly (readonly IngestItem[])[] {
  const met = new Map<string, number>();
  const found: IngestItem[][] = [];
  for (const item of items) {
    const round = met.get(item.urlHash) ?? 0;
    met.set(item.urlHash, round + 1);
    found[round] = [...(found[round] ?? []), item];
  }
  return found;
}

function batches(items: readonly IngestItem[]): readonly (readonly IngestItem[])[] {
  const made: IngestItem[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const item of items) {
    characters += item.input.content.length;
    if (characters > CHARACTERS_A_BATCH || made.at(-1)?.length === PAGES_A_BATCH) {
      made.push([]);
      characters = item.input.content.length;
    }
    made.at(-1)?.push(item);
  }
  return made;
}
