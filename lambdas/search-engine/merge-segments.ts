import type { Segment } from './segment.ts';
import { type BuiltChunk, SegmentBuilder } from './segment-builder.ts';

/** One segment of the pages of several, without those that were deleted. The segments must come by ascending ids. */
export function mergeSegments(segments: readonly Segment[]): Uint8Array<ArrayBuffer> {
  const builder = new SegmentBuilder();
  for (const segment of segments) addPages(segment, builder);
  return builder.build();
}

function addPages(segment: Segment, builder: SegmentBuilder): void {
  const { lexicon, titleLengths, ids } = segment;
  const terms = lexicon.terms();
  /** By term of the segment: its number in the builder, plus 1. */
  const numbers = new Uint32Array(terms.length);
  const numberOf = (term: number): number => {
    const known = numbers[term] as number;
    if (known > 0) return known - 1;
    const number = builder.numberOf(terms[term] as string);
    numbers[term] = number + 1;
    return number;
  };
  // Terms in ascending order are quick to sort. Those that only deleted pages have must not be added.
  if (!segment.deleted) for (let term = 0; term < terms.length; term++) numberOf(term);
  for (let page = 0; page < segment.size; page++) {
    if (!segment.isLive(page)) continue;
    const [first, end] = segment.chunksOf(page);
    const title = segment.titleAt(page);
    builder.add({
      ...{ id: ids[page] as number, titleLength: titleLengths[page] as number, facts: segment.packedFacts(page) },
      titleTerms: Uint32Array.from({ length: title.next() }, () => numberOf(title.next())),
      spellings: segment.spellingsOf(page).map(numberOf),
      chunks: Array.from({ length: end - first }, (_, i) => builtChunk(segment, first + i, numberOf)),
    });
  }
}

function builtChunk(segment: Segment, chunk: number, numberOf: (term: number) => number): BuiltChunk {
  const reader = segment.readerAt(chunk);
  const terms = new Uint32Array(segment.lengths[chunk] as number);
  for (let i = 0; i < terms.length; i++) {
    const packed = reader.next();
    terms[i] = (numberOf(packed >>> 1) << 1) | (packed & 1);
  }
  const labels = new Uint32Array(reader.next());
  for (let i = 0; i < labels.length; i++) {
    const label = reader.next();
    labels[i] = (numberOf(label >>> 4) << 4) | (label & 15);
  }
  const kind = segment.blockOf(chunk);
  return {
    ...{ ord: segment.ords[chunk] as number, linkPercent: segment.linkPercents[chunk] as number, terms, labels },
    block: kind && { kind, ...segment.vectors.blockAt(chunk) },
  };
}
