import type { Segment } from './segment.ts';
import { type BuiltChunk, type BuiltPage, SegmentBuilder } from './segment-builder.ts';

/** One segment of the pages of several, without those that were deleted. The segments must come by ascending ids. */
export function mergeSegments(segments: readonly Segment[]): Uint8Array<ArrayBuffer> {
  const builder = new SegmentBuilder();
  const numbers = segments.map((segment) => numbersOfTerms(segment, builder));
  return builder.build(livePages(segments, numbers));
}

/** By term of the segment its number in the builder. Terms that only deleted pages have get none. */
function numbersOfTerms(segment: Segment, builder: SegmentBuilder): Uint32Array {
  const terms = segment.lexicon.terms();
  const numbers = new Uint32Array(terms.length);
  const isLive = segment.deleted && liveTerms(segment, terms.length);
  // Terms in ascending order are quick to sort.
  for (let term = 0; term < terms.length; term++)
    if (isLive?.[term] !== 0) numbers[term] = builder.numberOf(terms[term] as string);
  return numbers;
}

/** By term: 1 if a page that was not deleted has it. */
function liveTerms(segment: Segment, termCount: number): Uint8Array {
  const isLive = new Uint8Array(termCount);
  const mark = (term: number): number => (isLive[term] = 1);
  for (let page = 0; page < segment.size; page++) if (segment.isLive(page)) builtPage(segment, page, mark);
  return isLive;
}

function* livePages(segments: readonly Segment[], numbers: readonly Uint32Array[]): Generator<BuiltPage> {
  for (const [i, segment] of segments.entries()) {
    const numberOf = (term: number): number => numbers[i]?.[term] as number;
    for (let page = 0; page < segment.size; page++) if (segment.isLive(page)) yield builtPage(segment, page, numberOf);
  }
}

function builtPage(segment: Segment, page: number, numberOf: (term: number) => number): BuiltPage {
  const [first, end] = segment.chunksOf(page);
  const title = segment.titleAt(page);
  return {
    ...{ id: segment.ids[page] as number, titleLength: segment.titleLengths[page] as number },
    facts: segment.packedFacts(page),
    titleTerms: Uint32Array.from({ length: title.next() }, () => numberOf(title.next())),
    spellings: segment.spellingsOf(page).map(numberOf),
    chunks: Array.from({ length: end - first }, (_, i) => builtChunk(segment, first + i, numberOf)),
  };
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
