import { keyChanges } from '../../../lambdas/domain/pages/page-keys.ts';
import {
  GENERATIONS,
  generationPrefix,
  pageKey,
  type RegisteredPage,
} from '../../../lambdas/domain/pages/page-registry.ts';
import { PENDING_WRITES } from '../../../lambdas/domain/pages/pending-writes.ts';
import type { IndexEntry } from '../../../lambdas/domain/ports/page-index.ts';
import type { PageAddress, StoredPage } from '../../../lambdas/domain/ports/page-store.ts';
import { keyOf } from '../../../lambdas/domain/ports/rules/table-limits.ts';
import type { Change } from '../../../lambdas/domain/ports/table.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import type { WriteWorld } from './write-world.ts';

/** Checks every write as it happens, and at the end that registry, texts and indices agree. */
export class WriteWatch {
  readonly #world: WriteWorld;
  readonly #removed = new Map<SimulatedProcess, RegisteredPage[]>();
  /** The number of pages that each process has purged last. */
  readonly #purged = new Map<SimulatedProcess, number>();

  constructor(world: WriteWorld) {
    this.#world = world;
  }

  readonly table = (process: SimulatedProcess, changes: readonly Change[]): void => {
    this.#checkCount();
    for (const change of changes) {
      const { sk } = keyOf(change);
      if ('update' in change && change.set?.generation !== undefined) {
        this.#world.trace(`${process.name} purges ${this.#world.state.pageCount} pages`);
        this.#purged.set(process, this.#world.state.pageCount);
      }
      if (!sk.includes('#PAGE#')) continue;
      const before = this.#world.table.get(keyOf(change)) as unknown as RegisteredPage | undefined;
      this.#world.trace(`${process.name} ${describe(change)}`);
      if ('put' in change) this.#checkRevision(before, change.put as unknown as RegisteredPage);
      if ('remove' in change && before) this.#removed.set(process, [...(this.#removed.get(process) ?? []), before]);
    }
  };

  readonly text = (process: SimulatedProcess, { urlHash, revision }: PageAddress, isFree: boolean): void => {
    if (!isFree) this.#world.report(`${process.name} changes the text of ${urlHash} at revision ${revision}`);
  };

  readonly entry = (process: SimulatedProcess, { generation, url, urlHash, revision, title }: IndexEntry): void => {
    this.#world.trace(`${process.name} puts the entry of ${url} at revision ${revision}: ${title}`);
    const row = this.#row({ url, urlHash }, generation);
    if (row && row.revision < revision)
      this.#world.report(`${process.name} indexes ${url} at revision ${revision}, beyond its row`);
  };

  /** The rows that this process has removed since it was asked last. */
  takeRemoved(process: SimulatedProcess): readonly RegisteredPage[] {
    const removed = this.#removed.get(process) ?? [];
    this.#removed.delete(process);
    return removed;
  }

  purged(process: SimulatedProcess, pages: number): void {
    const purged = this.#purged.get(process);
    if (purged !== pages) this.#world.report(`${pages} pages are answered as purged, and ${purged} were`);
  }

  /**
   * A page that was answered as written is there with this revision, unless it was written, removed or purged since.
   */
  written(written: RegisteredPage, generation: number): void {
    if (generation < this.#world.state.generation) return;
    const row = this.#row(written, generation);
    if (row && row.revision < written.revision) this.#world.report(`${written.url} is lost after it was answered`);
    if (row?.revision === written.revision) this.#checkPage(row, generation, ['old']);
  }

  /** Checks what must be true once nothing is running and no row is pending. */
  end(): void {
    this.#checkCount();
    const { world, generation } = { world: this.#world, generation: this.#world.state.generation };
    const rows = this.rows();
    for (const row of rows) {
      if (row.pending) world.report(`${row.url} stays pending`);
      this.#checkPage(row, generation, ['old', 'new']);
    }
    const registered = new Set(rows.map(({ urlHash }) => urlHash));
    if (registered.size !== rows.length) world.report('a page has two rows');
    for (const [name, index] of Object.entries(world.indices))
      for (const entry of index.of(world.site.siteId))
        if (entry.generation === generation && !registered.has(entry.urlHash))
          world.report(`${entry.url} is in the ${name} index and not registered`);
    const revisions = new Set(rows.map(({ revision }) => revision));
    for (const address of world.pageStore.of(world.site.siteId))
      if (address.generation === generation && !revisions.has(address.revision))
        world.report(`a text of ${address.urlHash} is left at revision ${address.revision}`);
    this.#checkKeys(rows);
    this.#checkPendingWrites();
    this.#checkOldGenerations();
  }

  #checkPendingWrites(): void {
    if (this.#world.table.under(PENDING_WRITES, '').length > 0) this.#world.report('a pending write is left');
  }

  /** An item leads from each key to its page, and there are no others. */
  #checkKeys(rows: readonly RegisteredPage[]): void {
    const { site, table } = this.#world;
    const pointers = rows.flatMap((row) => keyChanges(site, undefined, row).map((change) => keyOf(change).sk));
    const { pk, sk } = pageKey(site.siteId, site.generation, { url: '', urlHash: '' });
    const found = table.under(pk, sk.replace('PAGE#', 'KEY#')).map((item) => item.sk);
    if (found.join() !== pointers.toSorted().join()) this.#world.report('the keys lead to other pages');
  }

  /** The clean-up of a purge leaves nothing of the generations before. */
  #checkOldGenerations(): void {
    const { world, generation } = { world: this.#world, generation: this.#world.state.generation };
    const { siteId } = world.site;
    const isOld = (part: { readonly generation: number }): boolean => part.generation < generation;
    if (Object.values(world.indices).some((index) => index.of(siteId).some(isOld)))
      world.report('an index entry of an old generation is left');
    if (world.pageStore.of(siteId).some(isOld)) world.report('a text of an old generation is left');
    const items = world.table.under(`SITE#${siteId}`, GENERATIONS);
    if (items.some(({ sk }) => sk < generationPrefix(generation))) world.report('a row of an old generation is left');
  }

  /** All rows of the site. */
  rows(): readonly RegisteredPage[] {
    const { siteId, generation } = this.#world.site;
    const { pk, sk } = pageKey(siteId, generation, { url: '', urlHash: '' });
    return this.#world.table.under(pk, sk) as unknown as readonly RegisteredPage[];
  }

  #checkCount(): void {
    const { pageCount } = this.#world.state;
    const { length } = this.rows();
    if (pageCount !== length) this.#world.report(`the site counts ${pageCount} pages, where there are ${length}`);
  }

  #checkRevision(before: RegisteredPage | undefined, after: RegisteredPage): void {
    if (!before || after.revision > before.revision) return;
    if (after.revision < before.revision || after.pending || after.title !== before.title)
      this.#world.report(`${after.url} is written at revision ${after.revision}, which it had before`);
  }

  /** Where a draft kept its entry, the text has a higher revision than the entry. */
  #checkPage(row: RegisteredPage, generation: number, indices: readonly ('old' | 'new')[]): void {
    const world = this.#world;
    const page = { siteId: world.site.siteId, generation, urlHash: row.urlHash };
    const text = world.pageStore.get({ ...page, revision: row.revision });
    if (!isOf(text, row)) world.report(`${row.url} has the text of ${text?.title} instead of ${row.title}`);
    for (const name of indices) {
      const entry = world.indices[name].get(page);
      if (entry?.title !== row.title)
        world.report(`${row.url} is ${entry?.title} in the ${name} index instead of ${row.title}`);
      if (JSON.stringify(entry?.metadata) !== JSON.stringify(text?.metadata))
        world.report(`${row.url} has other metadata in the ${name} index than in its text`);
    }
  }

  #row(page: Pick<RegisteredPage, 'url' | 'urlHash'>, generation: number): RegisteredPage | undefined {
    const key = pageKey(this.#world.site.siteId, generation, page);
    return this.#world.table.get(key) as unknown as RegisteredPage | undefined;
  }
}

const isOf = (text: StoredPage | undefined, { title, linksHash = '' }: RegisteredPage): boolean =>
  text?.title === title && (text.links[0]?.href ?? '') === linksHash;

function describe(change: Change): string {
  if ('put' in change) {
    const { url, revision, title, pending } = change.put as unknown as RegisteredPage;
    return `writes the row of ${url} at revision ${revision}: ${title}${pending ? ', pending' : ''}`;
  }
  if ('remove' in change) return `removes the row ${change.remove.sk}`;
  return `changes the row ${keyOf(change).sk}: ${JSON.stringify(change)}`;
}
