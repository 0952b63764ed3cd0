import type { VectorBlock } from '../../../core/search/ranking.ts';
import type { PageTable } from './forward-index.ts';
import { Column, int16s, uint32s } from './growable-array.ts';
import type { Block } from './index-entry-row.ts';
import { DotProducts } from './int8-scan.ts';
import { product, shortNumbers } from './int16-quantization.ts';
import { type Admitted, TopPages } from './top-k.ts';

/** The vectors of a space, in memory, those of each block by themselves: the empty block is neither kept nor multiplied. */
export class VectorMatrix {
  readonly #parts = new Map<string, BlockRows>();

  /** Chunks come in the order of their numbers. */
  add(chunk: number, { kind, start, of, numbers }: Block): void {
    const name = `${kind} ${start} ${numbers.length} ${of}`;
    const rows = this.#parts.get(name) ?? new BlockRows({ kind, start, width: numbers.length, of });
    this.#parts.set(name, rows);
    rows.add(chunk, numbers);
  }

  get bytes(): number {
    return [...this.#parts.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  blockOf(chunk: number): VectorBlock | undefined {
    for (const rows of this.#parts.values()) if (rows.chunks.placeOf(chunk) !== undefined) return rows.kind;
    return undefined;
  }

  /** Vectors of another space than the query's are passed over. */
  scan(query: Float32Array): VectorScan {
    const scanned = [...this.#parts.values()].filter((rows) => rows.of === query.length);
    return new VectorScan(scanned, shortNumbers(query));
  }
}

/** The cosines of chunks with one query; good until the next scan. */
export class VectorScan {
  readonly #parts: readonly BlockRows[];
  readonly #query: Int16Array;
  readonly #products: Float32Array[] = [];

  constructor(parts: readonly BlockRows[], query: Int16Array) {
    this.#parts = parts;
    this.#query = query;
  }

  /** Within 0.0005. */
  cosineOf(chunk: number): number | undefined {
    for (const rows of this.#parts) {
      const cosine = rows.cosineOf(chunk, this.#query);
      if (cosine !== undefined) return cosine;
    }
    return undefined;
  }

  /** A chunk of each of the nearest pages that count, by cosines within 0.005. */
  nearest(size: number, { pageOf, live }: PageTable, admitted: Admitted): readonly number[] {
    const top = new TopPages(size, Number.NEGATIVE_INFINITY);
    const pages = pageOf.numbers;
    for (const [part, rows] of this.#parts.entries()) {
      const chunks = rows.chunks.numbers;
      const products = this.#productsOf(part, rows);
      let { least } = top;
      for (let row = 0; row < products.length; row++) {
        const product = products[row] as number;
        if (product <= least) continue;
        const chunk = chunks[row] as number;
        const page = pages[chunk] as number;
        if (live.numbers[page] === 1 && admitted?.[page] !== 0) top.offer(page, chunk, product);
        least = top.least;
      }
    }
    return top.chunks;
  }

  #productsOf(part: number, rows: BlockRows): Float32Array {
    const known = this.#products[part] ?? rows.products(this.#query);
    this.#products[part] = known;
    return known;
  }
}

class BlockRows {
  readonly kind: VectorBlock;
  readonly of: number;
  readonly #start: number;
  readonly #width: number;
  readonly #vectors = new Column(int16s);
  readonly #rough: DotProducts;
  readonly chunks = new Column(uint32s);

  constructor({ kind, start, width, of }: Omit<Block, 'numbers'> & { readonly width: number }) {
    this.kind = kind;
    this.of = of;
    this.#start = start;
    this.#width = width;
    this.#rough = new DotProducts(width);
  }

  get bytes(): number {
    return this.#vectors.bytes + this.#rough.bytes + this.chunks.bytes;
  }

  add(chunk: number, vector: Int16Array): void {
    this.#vectors.append(vector);
    this.#rough.add(vector);
    this.chunks.push(chunk);
  }

  products(query: Int16Array): Float32Array {
    return this.#rough.products(this.#partOf(query));
  }

  cosineOf(chunk: number, query: Int16Array): number | undefined {
    const row = this.chunks.placeOf(chunk);
    return row === undefined ? undefined : product(this.#partOf(query), this.#vectors.numbers, row * this.#width);
  }

  #partOf(query: Int16Array): Int16Array {
    return query.subarray(this.#start, this.#start + this.#width);
  }
}
