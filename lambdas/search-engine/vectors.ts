import { binarySearch } from './arrays.ts';
import { forEachBlock, type RowsInMemory, type Scanner, type Scanners, strideOf } from './int8-scan.ts';
import { dotProduct } from './quantization.ts';
import type { Sections } from './segment-format.ts';
import { GROUP_NUMBERS, type Rows } from './vector-writer.ts';

/** The vectors of a segment with the same non-zero block, without the zeros. */
export type Group = Rows & {
  /** Index in `VECTOR_BLOCKS`. */
  readonly kind: number;
  readonly start: number;
  readonly width: number;
  readonly dimensions: number;
};

export class Vectors {
  readonly #groups: readonly Group[];
  readonly #scanners: Scanners;
  /** The scanner whose memory holds the bytes of a large segment. */
  readonly #own: Scanner | undefined;

  constructor(sections: Sections, scanners: Scanners, own: Scanner | undefined) {
    this.#groups = vectorGroups(sections);
    this.#scanners = scanners;
    this.#own = own;
  }

  /**
   * Scores the vectors against a quantized query (quantization.ts). A query with only zeros in a block is not
   * comparable with that block's vectors.
   */
  scan(query: Int16Array): VectorScan {
    const comparable = this.#groups.filter(
      ({ dimensions, start, width }) =>
        dimensions === query.length && query.subarray(start, start + width).some((number) => number !== 0),
    );
    return new VectorScan(comparable, query, (rows) => this.#inMemory(rows));
  }

  #inMemory(rows: Int8Array): RowsInMemory {
    if (this.#own) return { rows, start: rows.byteOffset, scanner: this.#own };
    return { rows, start: 0, scanner: this.#scanners.holding(rows) };
  }
}

export function vectorGroups(sections: Sections): readonly Group[] {
  const { vectorGroups, vectorChunks, vectorScales, vectors8, vectors16 } = sections;
  const groups: Group[] = [];
  let [row, first8, first16] = [0, 0, 0];
  for (let i = 0; i < vectorGroups.length; i += GROUP_NUMBERS) {
    const [kind = 0, start = 0, width = 0, dimensions = 0, rows = 0] = vectorGroups.subarray(i, i + GROUP_NUMBERS);
    const [end8, end16] = [first8 + rows * strideOf(width), first16 + rows * width];
    groups.push({
      kind,
      start,
      width,
      dimensions,
      chunks: vectorChunks.subarray(row, row + rows),
      scales: vectorScales.subarray(row, row + rows),
      rows8: vectors8.subarray(first8, end8),
      rows16: vectors16.subarray(first16, end16),
    });
    [row, first8, first16] = [row + rows, end8, end16];
  }
  return groups;
}

/** The cosines of chunks with one query. */
export class VectorScan {
  readonly #groups: readonly Group[];
  readonly #query: Int16Array;
  readonly #inMemory: (rows: Int8Array) => RowsInMemory;

  constructor(groups: readonly Group[], query: Int16Array, inMemory: (rows: Int8Array) => RowsInMemory) {
    this.#groups = groups;
    this.#query = query;
    this.#inMemory = inMemory;
  }

  /** Returns a chunk's cosine, exact to 0.0005. */
  cosineOf(chunk: number): number | undefined {
    for (const { chunks, rows16, start, width } of this.#groups) {
      const row = binarySearch(chunks, chunks.length, chunk);
      if (row !== undefined) return dotProduct(this.#query.subarray(start, start + width), rows16, row * width);
    }
    return undefined;
  }

  /** Writes the cosine of each chunk, exact to 0.005. Skips chunks without a comparable vector. */
  fill(cosines: Float32Array): void {
    for (const { chunks, scales, rows8, start, width } of this.#groups) {
      const query = this.#query.subarray(start, start + width);
      forEachBlock(query, this.#inMemory(rows8), (products, first) =>
        writeScaled(products, scales.subarray(first), chunks.subarray(first), cosines),
      );
    }
  }
}

/** Separate function: V8 deoptimizes this loop repeatedly when it is inside the loop over groups. */
function writeScaled(products: Int32Array, scales: Float32Array, chunks: Uint32Array, cosines: Float32Array): void {
  const { length } = products;
  for (let row = 0; row < length; row++)
    cosines[chunks[row] as number] = (products[row] as number) * (scales[row] as number);
}
