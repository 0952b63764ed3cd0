import { VECTOR_BLOCKS, type VectorBlock } from '../text/words/cosine-scale.ts';
import { float32s, GrowableArray, int8s, int16s, type Numbers, uint32s } from './arrays.ts';
import { strideOf } from './int8-scan.ts';
import { SCALE } from './quantization.ts';
import type { Sections } from './segment-format.ts';

/** The non-zero part of a chunk's vector: the numbers from `start` on, of a vector of `dimensions` numbers. */
export type VectorPart = {
  readonly kind: VectorBlock;
  readonly start: number;
  readonly dimensions: number;
  readonly numbers: Int16Array;
};

/** Entries of `vectorGroups` per group. */
export const GROUP_NUMBERS = 5;

const LARGEST = 127;

type VectorSections = Pick<
  Sections,
  'vectorKinds' | 'vectorGroups' | 'vectorChunks' | 'vectorScales' | 'vectors8' | 'vectors16'
>;

/** The vectors of a group. */
export type Rows = {
  readonly chunks: Uint32Array;
  readonly scales: Float32Array;
  readonly rows8: Int8Array;
  readonly rows16: Int16Array;
};

/** Collects the vectors of a segment. Those with the same non-zero block form a group, which omits the zeros. */
export class VectorWriter {
  readonly #groups = new Map<string, Group>();

  /** Chunks must be added in ascending order. */
  add(chunk: number, block: VectorPart | undefined): void {
    if (!block) return;
    const name = `${block.kind} ${block.start} ${block.numbers.length} ${block.dimensions}`;
    const group = this.#groups.get(name) ?? new Group(block);
    this.#groups.set(name, group);
    group.add(chunk, block.numbers);
  }

  sections(chunkCount: number): VectorSections {
    const groups = [...this.#groups.values()];
    const vectorKinds = new Uint8Array(chunkCount);
    for (const { kind, chunks } of groups)
      for (const chunk of chunks.view()) vectorKinds[chunk] = VECTOR_BLOCKS.indexOf(kind) + 1;
    const headers = groups.flatMap((group) => group.header);
    const rows = groups.map((group) => group.rows());
    return { vectorKinds, ...vectorSections(headers, rows) };
  }
}

/** Builds the vector sections. Groups with equal headers must be adjacent; they share one header. */
export function vectorSections(
  headers: readonly number[],
  groups: readonly Rows[],
): Omit<VectorSections, 'vectorKinds'> {
  const all = <T extends Numbers>(listOf: (rows: Rows) => ArrayLike<number>, make: (length: number) => T): T =>
    joined(groups.map(listOf), make);
  return {
    vectorGroups: Uint32Array.from(headers),
    vectorChunks: all(({ chunks }) => chunks, uint32s),
    vectorScales: all(({ scales }) => scales, float32s),
    vectors8: all(({ rows8 }) => rows8, int8s),
    vectors16: all(({ rows16 }) => rows16, int16s),
  };
}

class Group {
  readonly kind: VectorBlock;
  readonly chunks = new GrowableArray(uint32s);
  readonly scales = new GrowableArray(float32s);
  readonly rows8 = new GrowableArray(int8s);
  readonly rows16 = new GrowableArray(int16s);
  readonly #block: VectorPart;
  readonly #row: Int8Array<ArrayBuffer>;

  constructor(block: VectorPart) {
    this.kind = block.kind;
    this.#block = block;
    this.#row = new Int8Array(strideOf(block.numbers.length));
  }

  get header(): readonly number[] {
    const { kind, start, numbers, dimensions } = this.#block;
    return [VECTOR_BLOCKS.indexOf(kind), start, numbers.length, dimensions, this.chunks.length];
  }

  rows(): Rows {
    const { chunks, scales, rows8, rows16 } = this;
    return { chunks: chunks.view(), scales: scales.view(), rows8: rows8.view(), rows16: rows16.view() };
  }

  add(chunk: number, numbers: Int16Array): void {
    let largest = 1;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] as number;
      if (number > largest) largest = number;
      else if (-number > largest) largest = -number;
    }
    const scale = largest / LARGEST;
    for (let i = 0; i < numbers.length; i++) this.#row[i] = Math.round((numbers[i] as number) / scale);
    this.chunks.push(chunk);
    this.scales.push(scale / SCALE ** 2);
    this.rows8.append(this.#row);
    this.rows16.append(numbers);
  }
}

function joined<T extends Numbers>(lists: readonly ArrayLike<number>[], make: (length: number) => T): T {
  const all = make(lists.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const list of lists) {
    all.set(list, offset);
    offset += list.length;
  }
  return all;
}
