import type { VectorBlock } from '../../../core/search/cosine-scale.ts';
import type { Block } from './index-entry-row.ts';

/*
 * The vectors of a page as stored: the count of vectors; for each a header (index of its chunk in the page, kind,
 * start, dimensions, width); then the components of all vectors.
 */

const KINDS: readonly VectorBlock[] = ['table', 'hash', 'model'];
const HEADER_LENGTH = 5;

/** `blocks[i]` belongs to the page's chunk `i`; undefined for a chunk without a vector. */
export function packVectors(blocks: readonly (Block | undefined)[]): Int16Array<ArrayBuffer> {
  const headers: number[] = [];
  let size = 0;
  for (const [i, block] of blocks.entries()) {
    if (!block) continue;
    headers.push(i, KINDS.indexOf(block.kind), block.start, block.dimensions, block.numbers.length);
    size += block.numbers.length;
  }
  const packed = new Int16Array(1 + headers.length + size);
  packed.set([headers.length / HEADER_LENGTH, ...headers]);
  let offset = 1 + headers.length;
  for (const { numbers } of blocks.filter((block) => block !== undefined)) {
    packed.set(numbers, offset);
    offset += numbers.length;
  }
  return packed;
}

export function* packedVectors(packed: Int16Array): Generator<{ readonly chunkIndex: number; readonly block: Block }> {
  const count = packed[0] ?? 0;
  let offset = 1 + count * HEADER_LENGTH;
  for (let i = 0; i < count; i++) {
    const header = packed.subarray(1 + i * HEADER_LENGTH, 1 + (i + 1) * HEADER_LENGTH);
    const [chunkIndex = 0, kind = 0, start = 0, dimensions = 0, width = 0] = header;
    const numbers = packed.subarray(offset, offset + width);
    yield { chunkIndex, block: { kind: KINDS[kind] ?? 'table', start, dimensions, numbers } };
    offset += width;
  }
}
