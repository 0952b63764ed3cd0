import { createHash } from 'node:crypto';
import { everyPage, type RegisteredPage } from '../../pages/page-registry.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { Table } from '../../ports/table.ts';
import type { Findings } from './finding.ts';

/** A page with fewer characters is reported as thin. */
const THIN = 200;

export type PagesRead = {
  readonly pages: number;
  /** Drawn at random, but always the same for the same seed and pages. */
  readonly sample: readonly RegisteredPage[];
};

/** Reads each row of the registry once, at most `most`, and draws a sample of them. */
export async function findInPages(
  site: SiteScope,
  findings: Findings,
  { most, sampleSize, seed }: { readonly most: number; readonly sampleSize: number; readonly seed: string },
  table: Table,
): Promise<PagesRead> {
  const titles = new Map<string, { readonly first: string; count: number }>();
  const sample = new Sample(sampleSize, seed);
  let pages = 0;
  for await (const row of everyPage(site, table)) {
    if (row.removing) continue;
    if (++pages > most) break;
    sample.offer(row);
    const { url, title } = row;
    if (row.unlinked) findings.add('unlinked', { url, title });
    if (title.trim() === '') findings.add('no_title', { url });
    else noteTitle(row, titles, findings);
    if (row.characters !== undefined && row.characters < THIN) findings.add('thin', { url, title });
  }
  return { pages: Math.min(pages, most), sample: sample.rows };
}

/** Records a title. When a second page has it, the first page is reported too. */
function noteTitle(
  { url, title }: RegisteredPage,
  titles: Map<string, { readonly first: string; count: number }>,
  findings: Findings,
): void {
  const known = titles.get(title);
  if (!known) {
    titles.set(title, { first: url, count: 1 });
    return;
  }
  if (known.count++ === 1) findings.add('same_title', { url: known.first, title });
  findings.add('same_title', { url, title });
}

/** Keeps the rows whose hashes with the seed are the smallest. */
class Sample {
  readonly #size: number;
  readonly #seed: string;
  #drawn: { readonly order: string; readonly row: RegisteredPage }[] = [];

  constructor(size: number, seed: string) {
    this.#size = size;
    this.#seed = seed;
  }

  offer(row: RegisteredPage): void {
    const order = createHash('sha256').update(`${this.#seed} ${row.urlHash}`).digest('hex');
    const last = this.#drawn.at(-1);
    if (this.#drawn.length >= this.#size && last && order > last.order) return;
    this.#drawn = [...this.#drawn, { order, row }].sort((a, b) => (a.order < b.order ? -1 : 1)).slice(0, this.#size);
  }

  get rows(): readonly RegisteredPage[] {
    return this.#drawn.map(({ row }) => row);
  }
}
