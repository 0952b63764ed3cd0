import type { VectorBlock } from '../../../core/search/cosine-scale.ts';
import { GrowableArray, int16s, uint8s, uint32s } from './growable-array.ts';
import type { Block } from './index-entry-row.ts';
import { Int8Vectors } from './int8-scan.ts';
import { dotProduct } from './int16-quantization.ts';

const KINDS: readonly (VectorBlock | undefined)[] = [undefined, 'table', 'hash', 'model'];

/** The vectors of a partition, in memory. Vectors with the same non-zero block form a group, which omits the zeros. */
export class VectorIndex {
  readonly #groups = new Map<string, BlockVectors>();
  /** By chunk: the index of its block's kind in `KINDS`; 0 without a vector. */
  readonly #kinds = new GrowableArray(uint8s);

  /** Chunks must be added in ascending order. */
  add(chunk: number, { kind, start, dimensions, numbers }: Block): void {
    const name = `${kind} ${start} ${numbers.length} ${dimensions}`;
    const group = this.#groups.get(name) ?? new BlockVectors({ kind, start, width: numbers.length, dimensions });
    this.#groups.set(name, group);
    group.add(chunk, numbers);
    while (this.#kinds.length < chunk) this.#kinds.push(0);
    this.#kinds.push(KINDS.indexOf(kind));
  }

  get bytes(): number {
    return [...this.#groups.values()].reduce((sum, { bytes }) => sum + bytes, this.#kinds.bytes);
  }

  blockOf(chunk: number): VectorBlock | undefined {
    return chunk < this.#kinds.length ? KINDS[this.#kinds.numbers[chunk] as number] : undefined;
  }

  /** The query is quantized (int16-quantization.ts). */
  scan(query: Int16Array): VectorScan {
    const comparable = [...this.#groups.values()].filter((group) => group.dimensions === query.length);
    return new VectorScan(comparable, query);
  }
}

/** The cosines of chunks with one query. Valid until the next scan. */
export class VectorScan {
  readonly #groups: readonly BlockVectors[];
  readonly #query: Int16Array;

  constructor(groups: readonly BlockVectors[], query: Int16Array) {
    this.#groups = groups;
    this.#query = query;
  }

  /** Exact to 0.0005. */
  cosineOf(chunk: number): number | undefined {
    for (const group of this.#groups) {
      const cosine = group.cosineOf(chunk, this.#query);
      if (cosine !== undefined) return cosine;
    }
    return undefined;
  }

  /** Writes the cosines by chunk, exact to 0.005; the place of a chunk without a comparable vector is left as it is. */
  fill(cosines: Float32Array): void {
    for (const group of this.#groups) {
      const chunks = group.chunks.numbers;
      const products = group.products(this.#query);
      for (let row = 0; row < products.length; row++) cosines[chunks[row] as number] = products[row] as number;
    }
  }
}

class BlockVectors {
  readonly kind: VectorBlock;
  readonly dimensions: number;
  readonly #start: number;
  readonly #width: number;
  readonly #exact = new GrowableArray(int16s);
  readonly #approximate: Int8Vectors;
  readonly chunks = new GrowableArray(uint32s);

  constructor({ kind, start, width, dimensions }: Omit<Block, 'numbers'> & { readonly width: number }) {
    this.kind = kind;
    this.dimensions = dimensions;
    this.#start = start;
    this.#width = width;
    this.#approximate = new Int8Vectors(width);
  }

  get bytes(): number {
    return this.#exact.bytes + this.#approximate.bytes + this.chunks.bytes;
  }

  add(chunk: number, vector: Int16Array): void {
    this.#exact.append(vector);
    this.#approximate.add(vector);
    this.chunks.push(chunk);
  }

  products(query: Int16Array): Float32Array {
    return this.#approximate.products(this.#blockOf(query));
  }

  cosineOf(chunk: number, query: Int16Array): number | undefined {
    const row = this.chunks.indexOf(chunk);
    return row === undefined ? undefined : dotProduct(this.#blockOf(query), this.#exact.numbers, row * this.#width);
  }

  #blockOf(query: Int16Array): Int16Array {
    return query.subarray(this.#start, this.#start + this.#width);
  }
}
