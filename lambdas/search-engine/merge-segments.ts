import { packedDeletions } from './deletions.ts';
import { DELETED, IdRemapping, renumbered } from './id-remapping.ts';
import { packedTerms, TermNumbers } from './lexicon.ts';
import { mergedVectors } from './merge-vectors.ts';
import { PostingList } from './posting-list.ts';
import type { Segment } from './segment.ts';
import type { Sections } from './segment-format.ts';
import { hasSpelling, MARK } from './spellings.ts';
import { ranksOf, termsByRank } from './term-ranks.ts';
import { type VarintReader, VarintWriter } from './varints.ts';

/** Ratio of the merged varints' expected size to that of their sources: higher term numbers take more bytes. */
const ROOM = 1.5;

/** A segment to merge. Each array maps old numbers to those in the merged segment, ascending, or to `DELETED`. */
type Source = {
  readonly segment: Segment;
  readonly pages: Uint32Array;
  readonly chunks: Uint32Array;
  readonly terms: Uint32Array;
};

/**
 * Merges segments and drops their deleted pages. The segments must be in ascending order of their ids. Sections are
 * copied one by one, so memory holds little more than the sources and the new segment.
 */
export function mergeSegments(segments: readonly Segment[]): Sections {
  const { terms, idsOf } = mergedTerms(segments);
  const [pages, chunks] = [new IdRemapping(), new IdRemapping()];
  const sources = segments.map((segment, i) => ({
    segment,
    pages: pages.of(segment.size, (page) => segment.isLive(page)),
    chunks: chunks.of(segment.chunks, (chunk) => segment.isLive(segment.pageOf[chunk] as number)),
    terms: idsOf[i] as Uint32Array,
  }));
  const { chunkCounts, ...lists } = mergedLists(sources, terms.length);
  const termRanks = ranksOf(chunkCounts);
  const [spelledFrom, spelledEnd] = [terms.findIndex(hasSpelling), terms.findLastIndex(hasSpelling) + 1];
  return {
    ...packedTerms(terms),
    ...lists,
    termRanks,
    ...mergedSpellings(sources, spelledFrom, spelledEnd),
    ...packedDeletions(
      spelledFrom < 0 ? [] : terms.slice(spelledFrom, spelledEnd).map((term) => term.slice(MARK.length)),
    ),
    ...mergedPages(sources, pages.count),
    ...mergedChunks(sources, chunks.count),
    ...mergedForward(sources, termRanks, { spelledFrom, pageCount: pages.count, chunkCount: chunks.count }),
    ...mergedVectors(sources.map(({ segment, chunks }) => ({ sections: segment.sections, chunks }))),
  };
}

function mergedTerms(segments: readonly Segment[]) {
  const numbers = new TermNumbers();
  const numbersOf = segments.map((segment) => {
    const list = new PostingList();
    return Uint32Array.from(segment.lexicon.terms(), (text, term) =>
      isInUse(segment, term, list) ? numbers.numberOf(text) : DELETED,
    );
  });
  const { terms, ids } = numbers.sorted();
  const idOf = (number: number): number => (number === DELETED ? DELETED : (ids[number] as number));
  return { terms, idsOf: numbersOf.map((ofSegment) => ofSegment.map(idOf)) };
}

/** Returns whether a live page has the term. */
function isInUse(segment: Segment, term: number, list: PostingList): boolean {
  if (!segment.deleted) return true;
  if (segment.spellings.pagesAt(term) > 0) return true;
  if (segment.titlesWith(term).some((page) => segment.isLive(page))) return true;
  const isLive = (chunk: number): boolean => segment.isLive(segment.pageOf[chunk] as number);
  let isUsed = false;
  segment.forEachLabel(term, (chunk) => (isUsed ||= isLive(chunk)));
  if (isUsed) return true;
  list.read(segment.postingsAt(term));
  return list.chunks.subarray(0, list.length).some(isLive);
}

const total = (sources: readonly Source[], count: (sections: Sections) => number): number =>
  sources.reduce((sum, { segment }) => sum + count(segment.sections), 0);

/** Merges the lists that are indexed by term: postings, labels and titles. */
function mergedLists(sources: readonly Source[], termCount: number) {
  const postings = new VarintWriter(ROOM * total(sources, (sections) => sections.postings.length));
  const labelChunks = new Uint32Array(total(sources, (sections) => sections.labelChunks.length));
  const labelLengths = new Uint8Array(labelChunks.length);
  const titlePages = new Uint32Array(total(sources, (sections) => sections.titlePages.length));
  const [postingStarts, labelStarts] = [new Uint32Array(termCount + 1), new Uint32Array(termCount + 1)];
  const titleStarts = new Uint32Array(termCount + 1);
  const chunkCounts = new Uint32Array(termCount);
  const list = new PostingList();
  let [labels, titles] = [0, 0];
  const add = ({ segment, pages, chunks }: Source, term: number): void => {
    list.add(segment.postingsAt(term), chunks);
    segment.forEachLabel(term, (chunk, length) => {
      if (chunks[chunk] === DELETED) return;
      labelChunks[labels] = chunks[chunk] as number;
      labelLengths[labels++] = length;
    });
    for (const page of segment.titlesWith(term))
      if (pages[page] !== DELETED) titlePages[titles++] = pages[page] as number;
  };
  forEachTerm(sources, termCount, add, (term) => {
    list.write(postings);
    chunkCounts[term] = list.length;
    list.length = 0;
    postingStarts[term + 1] = postings.length;
    labelStarts[term + 1] = labels;
    titleStarts[term + 1] = titles;
  });
  return {
    chunkCounts,
    postingStarts,
    postings: postings.view(),
    labelStarts,
    labelChunks: labelChunks.subarray(0, labels),
    labelLengths: labelLengths.subarray(0, labels),
    titleStarts,
    titlePages: titlePages.subarray(0, titles),
  };
}

/**
 * For each term of the merged segment: calls `visit` for each segment that has it, with the term's number there, and
 * then `end`.
 */
function forEachTerm(
  sources: readonly Source[],
  termCount: number,
  visit: (source: Source, term: number) => void,
  end: (term: number) => void,
): void {
  const nextOf = sources.map(() => 0);
  for (let term = 0; term < termCount; term++) {
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i] as Source;
      let next = nextOf[i] as number;
      while (source.terms[next] === DELETED) next++;
      if (source.terms[next] === term) visit(source, next++);
      nextOf[i] = next;
    }
    end(term);
  }
}

/** `from`: the first term that is a word as it is spelled; -1 if there is none. */
function mergedSpellings(sources: readonly Source[], from: number, end: number) {
  const count = from < 0 ? 0 : end - from;
  const [spelledPages, spelledLetters] = [new Uint32Array(count), new Uint32Array(count)];
  const spelledLengths = new Uint8Array(count);
  for (const { segment, terms: ids } of sources) {
    const { first } = segment.spellings;
    const { spelledLetters: letters, spelledLengths: lengths } = segment.sections;
    for (let i = 0; i < letters.length; i++) {
      const id = ids[first + i] as number;
      if (id === DELETED) continue;
      spelledPages[id - from] = (spelledPages[id - from] as number) + segment.spellings.pagesAt(first + i);
      spelledLetters[id - from] = letters[i] as number;
      spelledLengths[id - from] = lengths[i] as number;
    }
  }
  return { spelledPages, spelledLetters, spelledLengths };
}

function mergedPages(sources: readonly Source[], count: number) {
  const [pageIds, titleLengths] = [new Uint32Array(count), new Uint32Array(count)];
  const [firstChunks, factStarts] = [new Uint32Array(count + 1), new Uint32Array(count + 1)];
  const facts = new Uint8Array(total(sources, (sections) => sections.facts.length));
  for (const { segment, pages } of sources) {
    for (let page = 0; page < pages.length; page++) {
      const id = pages[page] as number;
      if (id === DELETED) continue;
      pageIds[id] = segment.ids[page] as number;
      titleLengths[id] = segment.titleLengths[page] as number;
      const [first, end] = segment.chunksOf(page);
      firstChunks[id + 1] = (firstChunks[id] as number) + end - first;
      const packed = segment.packedFacts(page);
      facts.set(packed, factStarts[id]);
      factStarts[id + 1] = (factStarts[id] as number) + packed.length;
    }
  }
  return { pageIds, titleLengths, firstChunks, factStarts, facts: facts.subarray(0, factStarts[count]) };
}

function mergedChunks(sources: readonly Source[], count: number) {
  const [pageOf, ords, lengths] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
  const [linkPercents, vectorKinds] = [new Uint8Array(count), new Uint8Array(count)];
  for (const { segment, pages, chunks } of sources) {
    for (let chunk = 0; chunk < chunks.length; chunk++) {
      const id = chunks[chunk] as number;
      if (id === DELETED) continue;
      pageOf[id] = pages[segment.pageOf[chunk] as number] as number;
      ords[id] = segment.ords[chunk] as number;
      lengths[id] = segment.lengths[chunk] as number;
      linkPercents[id] = segment.linkPercents[chunk] as number;
      vectorKinds[id] = segment.vectorKinds[chunk] as number;
    }
  }
  return { pageOf, ords, lengths, linkPercents, vectorKinds };
}

type ForwardOptions = { readonly spelledFrom: number; readonly pageCount: number; readonly chunkCount: number };

function mergedForward(sources: readonly Source[], termRanks: Uint32Array, options: ForwardOptions) {
  const { spelledFrom, pageCount, chunkCount } = options;
  const forward = new VarintWriter(ROOM * total(sources, (sections) => sections.forward.length));
  const [pageStarts, chunkStarts] = [new Uint32Array(pageCount), new Uint32Array(chunkCount)];
  for (const { segment, pages, chunks, terms } of sources) {
    const ranks = termsByRank(segment.sections.termRanks).map((term) => termRanks[terms[term] as number] ?? DELETED);
    const words = terms.subarray(segment.spellings.first).map((term) => term - spelledFrom);
    for (let page = 0; page < pages.length; page++) {
      if (pages[page] === DELETED) continue;
      const [first, end] = segment.chunksOf(page);
      for (let chunk = first; chunk < end; chunk++) {
        chunkStarts[chunks[chunk] as number] = forward.length;
        const reader = segment.readerAt(chunk);
        copy(reader, segment.lengths[chunk] as number, 1, ranks, forward);
        copyList(reader, 4, ranks, forward);
      }
      pageStarts[pages[page] as number] = forward.length;
      const reader = segment.titleAt(page);
      copyList(reader, 0, ranks, forward);
      forward.writeAscending(reader.nextAscending().map((word) => words[word] as number));
    }
  }
  return { pageStarts, chunkStarts, forward: forward.view() };
}

/** Copies a count and that many numbers, renumbered. */
function copyList(from: VarintReader, bits: number, numbers: Uint32Array, to: VarintWriter): void {
  const count = from.next();
  to.write(count);
  copy(from, count, bits, numbers, to);
}

/** Copies `count` term numbers, renumbered. The lowest `bits` bits of each are kept. */
function copy(from: VarintReader, count: number, bits: number, numbers: Uint32Array, to: VarintWriter): void {
  for (let i = 0; i < count; i++) to.write(renumbered(from.next(), bits, numbers));
}
