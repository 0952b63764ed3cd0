import type { VectorBlock } from '../../../core/search/ranking.ts';
import type { Block } from './index-entry-row.ts';

/*
 * The vectors of a page as they are stored: how many there are; for each the place of its chunk in the page, its kind, start, whole
 * length and width; then the numbers of all of them.
 */

const KINDS: readonly VectorBlock[] = ['table', 'hash', 'model'];
const FACTS = 5;

/** By the places of the chunks; undefined for those that have none. */
export function packVectors(blocks: readonly (Block | undefined)[]): Int16Array<ArrayBuffer> {
  const facts: number[] = [];
  let size = 0;
  for (const [place, block] of blocks.entries()) {
    if (!block) continue;
    facts.push(place, KINDS.indexOf(block.kind), block.start, block.of, block.numbers.length);
    size += block.numbers.length;
  }
  const packed = new Int16Array(1 + facts.length + size);
  packed.set([facts.length / FACTS, ...facts]);
  let at = 1 + facts.length;
  for (const { numbers } of blocks.filter((block) => block !== undefined)) {
    packed.set(numbers, at);
    at += numbers.length;
  }
  return packed;
}

export function* packedVectors(packed: Int16Array): Generator<Block & { readonly place: number }> {
  const count = packed[0] ?? 0;
  let at = 1 + count * FACTS;
  for (let i = 0; i < count; i++) {
    const [place = 0, kind = 0, start = 0, of = 0, width = 0] = packed.subarray(1 + i * FACTS, 1 + (i + 1) * FACTS);
    yield { place, kind: KINDS[kind] ?? 'table', start, of, numbers: packed.subarray(at, at + width) };
    at += width;
  }
}
