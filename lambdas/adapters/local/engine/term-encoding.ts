import type { ChunkRow, EntryRow } from './index-entry-row.ts';
import type { Lexicon } from './lexicon.ts';
import { type VarintReader, VarintWriter } from './varints.ts';

/*
 * The terms of a page as stored and as kept in memory. All numbers are varints:
 *
 *   number of title terms, each title term; number of chunks; for each chunk
 *     ord, link share in percent, number of terms, number of bytes that follow;
 *     each term: its id in the lexicon * 2, plus 1 if it has the same position as the term before it;
 *     number of labelled terms, each of them: its id * 16, plus the length of its label
 *   number of words as they are spelled, each word (spellings.ts); absent in pages that were indexed before
 */

type PageWithTerms = Pick<EntryRow, 'vocabulary' | 'titleTerms' | 'spellings'> & {
  readonly chunks: readonly Omit<ChunkRow, 'headings' | 'sections' | 'text'>[];
};

/** Adds the page's new terms to the lexicon. */
export function packTerms(page: PageWithTerms, lexicon: Lexicon): Uint8Array<ArrayBuffer> {
  const { vocabulary, titleTerms, spellings, chunks } = page;
  const writer = new VarintWriter();
  const inner = new VarintWriter();
  const ids = Uint32Array.from(vocabulary === '' ? [] : vocabulary.split(' '), (term) => lexicon.add(term));
  const idAt = (index: number) => ids[index] as number;
  writer.write(titleTerms.length);
  for (const index of titleTerms) writer.write(idAt(index));
  writer.write(chunks.length);
  for (const { ord, terms, labels, linkShare } of chunks) {
    for (const term of terms) inner.write(((idAt(term >>> 1) << 1) | (term & 1)) >>> 0);
    inner.write(labels.length);
    for (const label of labels) inner.write(((idAt(label >>> 4) << 4) | (label & 15)) >>> 0);
    writer.write(ord);
    writer.write(Math.round(linkShare * 100));
    writer.write(terms.length);
    writer.write(inner.length);
    writer.append(inner.view());
    inner.clear();
  }
  writer.write(spellings.length);
  for (const index of spellings) writer.write(idAt(index));
  return writer.copy();
}

/** `start` is the offset of the chunk's `length` terms; its labels follow them. */
export type PackedChunk = {
  readonly ord: number;
  readonly linkPercent: number;
  readonly length: number;
  readonly start: number;
};

/** The chunks of a page. `reader` must have read the title. */
export function* packedChunks(reader: VarintReader): Generator<PackedChunk> {
  for (let left = reader.next(); left > 0; left--) {
    const [ord, linkPercent, length, bytes] = [reader.next(), reader.next(), reader.next(), reader.next()];
    yield { ord, linkPercent, length, start: reader.offset };
    reader.offset += bytes;
  }
}

/** The ids of the words as they are spelled. `reader` must have read the chunks of a page that ends at `end`. */
export function* packedSpellings(reader: VarintReader, end: number): Generator<number> {
  if (reader.offset >= end) return;
  for (let left = reader.next(); left > 0; left--) yield reader.next();
}
