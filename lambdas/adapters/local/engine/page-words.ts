import type { ChunkRow, EntryRow } from './index-entry-row.ts';
import type { Lexicon } from './lexicon.ts';
import { type VarintReader, VarintWriter } from './varints.ts';

/*
 * The terms of a page as they are stored and kept in memory, all as varints:
 *
 *   how many terms the title has, each of them; how many chunks there are; for each chunk
 *     its ord, how much of it is links in hundredths, how many terms it has, in how many bytes the rest lies;
 *     each term: its number in the lexicon times two, plus one if it stands at the position of the one before it;
 *     how many terms are labelled, each of them: its number times 16, plus the length of its label
 */

type Words = Pick<EntryRow, 'words' | 'titleTerms'> & {
  readonly chunks: readonly Omit<ChunkRow, 'headings' | 'text'>[];
};

/** Numbers the page's words in the lexicon of its space, which takes in the new ones. */
export function packWords({ words, titleTerms, chunks }: Words, lexicon: Lexicon): Uint8Array<ArrayBuffer> {
  const writer = new VarintWriter();
  const inner = new VarintWriter();
  const ids = Uint32Array.from(words === '' ? [] : words.split(' '), (term) => lexicon.add(term));
  const idOf = (place: number) => ids[place] as number;
  writer.write(titleTerms.length);
  for (const place of titleTerms) writer.write(idOf(place));
  writer.write(chunks.length);
  for (const { ord, terms, labels, linkShare } of chunks) {
    for (const term of terms) inner.write(((idOf(term >>> 1) << 1) | (term & 1)) >>> 0);
    inner.write(labels.length);
    for (const label of labels) inner.write(((idOf(label >>> 4) << 4) | (label & 15)) >>> 0);
    writer.write(ord);
    writer.write(Math.round(linkShare * 100));
    writer.write(terms.length);
    writer.write(inner.length);
    writer.append(inner.view());
    inner.clear();
  }
  return writer.copy();
}

/** Where a chunk's terms begin, and how many there are; its labels follow. */
export type PackedChunk = {
  readonly ord: number;
  readonly linkPercent: number;
  readonly length: number;
  readonly start: number;
};

/** The chunks of a page whose title was read; the reader stands behind the page when all were read. */
export function* packedChunks(reader: VarintReader): Generator<PackedChunk> {
  for (let left = reader.next(); left > 0; left--) {
    const [ord, linkPercent, length, bytes] = [reader.next(), reader.next(), reader.next(), reader.next()];
    yield { ord, linkPercent, length, start: reader.at };
    reader.at += bytes;
  }
}
