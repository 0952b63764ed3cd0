import { DotProducts } from './dot-products.ts';

export type Near = { readonly page: number; readonly chunk: number; readonly cosine: number };

/** A block of a chunk's vector: the numbers from `start` on of `of` numbers; the others are zeros. */
export type Block = { readonly start: number; readonly of: number; readonly numbers: Float32Array };
export type Vector = Block & { readonly page: number; readonly chunk: number };

/** The vectors of a site's generation, in memory, those of each block by themselves: the empty block is neither kept nor multiplied. */
export class VectorMatrix {
  readonly #blocks = new Map<string, BlockRows>();

  /** Chunks come in the order of their ids, a page's one after the other. */
  add({ page, chunk, start, of, numbers }: Vector): void {
    const name = `${start} ${numbers.length} ${of}`;
    const rows = this.#blocks.get(name) ?? new BlockRows({ start, width: numbers.length, of });
    this.#blocks.set(name, rows);
    rows.add(page, chunk, numbers);
  }

  remove(page: number): void {
    for (const rows of this.#blocks.values()) rows.remove(page);
  }

  get bytes(): number {
    return this.#sum((rows) => rows.bytes);
  }

  /** Half of it stands for pages that are gone. */
  get isSparse(): boolean {
    return this.#sum((rows) => rows.dead) > Math.max(1000, this.#sum((rows) => rows.size) / 2);
  }

  /** The cosines of all chunks with a query, exact; vectors of another space than the query's are passed over. */
  scan(query: Float32Array): VectorScan {
    const scanned = [...this.#blocks.values()].filter((rows) => rows.of === query.length);
    return new VectorScan(scanned.map((rows) => ({ rows, products: rows.products(query) })));
  }

  #sum(of: (rows: BlockRows) => number): number {
    return [...this.#blocks.values()].reduce((sum, rows) => sum + of(rows), 0);
  }
}

export class VectorScan {
  readonly #parts: readonly { readonly rows: BlockRows; readonly products: Float32Array }[];

  constructor(parts: readonly { readonly rows: BlockRows; readonly products: Float32Array }[]) {
    this.#parts = parts;
  }

  cosineOf(chunk: number): number | undefined {
    for (const { rows, products } of this.#parts) {
      const row = rows.rowOf(chunk);
      if (row !== undefined) return products[row];
    }
    return undefined;
  }

  /** The nearest chunk of each page, the nearest pages first; `admits` keeps other pages out. */
  nearest(size: number, admits: (page: number) => boolean): readonly Near[] {
    const best = this.#parts.flatMap(({ rows, products }) => rows.bestOfPages(products, admits));
    return best.sort((a, b) => b.cosine - a.cosine || a.chunk - b.chunk).slice(0, size);
  }
}

const GONE = -1;

class BlockRows {
  readonly start: number;
  readonly width: number;
  /** The length of the whole vectors. */
  readonly of: number;
  readonly #chunks: number[] = [];
  readonly #pages: number[] = [];
  readonly #firstRow = new Map<number, number>();
  readonly #vectors: DotProducts;
  dead = 0;

  constructor({ start, width, of }: { readonly start: number; readonly width: number; readonly of: number }) {
    this.start = start;
    this.width = width;
    this.of = of;
    this.#vectors = new DotProducts(width);
  }

  get size(): number {
    return this.#chunks.length;
  }

  get bytes(): number {
    return this.#vectors.bytes;
  }

  add(page: number, chunk: number, vector: Float32Array): void {
    const row = this.#chunks.length;
    this.#vectors.add(vector);
    if (!this.#firstRow.has(page)) this.#firstRow.set(page, row);
    this.#chunks.push(chunk);
    this.#pages.push(page);
  }

  remove(page: number): void {
    const first = this.#firstRow.get(page);
    if (first === undefined) return;
    for (let row = first; this.#pages[row] === page; row++) {
      this.#pages[row] = GONE;
      this.dead++;
    }
    this.#firstRow.delete(page);
  }

  products(query: Float32Array): Float32Array {
    return this.#vectors.products(query.subarray(this.start, this.start + this.width));
  }

  /** Ids rise with the rows. */
  rowOf(chunk: number): number | undefined {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#chunks[middle] as number;
      if (found === chunk) return this.#pages[middle] === GONE ? undefined : middle;
      if (found < chunk) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  bestOfPages(products: Float32Array, admits: (page: number) => boolean): readonly Near[] {
    const best: Near[] = [];
    for (let row = 0; row < products.length; ) {
      const page = this.#pages[row] as number;
      let top = row;
      for (row++; this.#pages[row] === page; row++)
        if ((products[row] as number) > (products[top] as number)) top = row;
      if (page !== GONE && admits(page)) {
        best.push({ page, chunk: this.#chunks[top] as number, cosine: products[top] as number });
      }
    }
    return best;
  }
}
