import { VECTOR_BLOCKS, type VectorBlock } from '../text/words/cosine-scale.ts';
import { binarySearch } from './arrays.ts';
import { ChunkScores } from './chunk-scores.ts';
import { type Scanner, Scanners } from './int8-scan.ts';
import { Lexicon } from './lexicon.ts';
import type { PageFacts } from './page-facts.ts';
import { PostingList } from './posting-list.ts';
import { decodeSections, type Sections } from './segment-format.ts';
import { Spellings } from './spellings.ts';
import { VarintReader } from './varints.ts';
import { Vectors } from './vectors.ts';

const ESTIMATED_BYTES_OF_FACTS = 1000;

/** A generation of a site, open for searches: its segments, and how many chunks and terms they have. */
export type OpenSite = {
  readonly chunks: number;
  readonly terms: number;
  readonly segments: readonly Segment[];
};

/** Some pages of a site: views of immutable bytes (segment-format.ts). */
export class Segment {
  readonly sections: Sections;
  readonly lexicon: Lexicon;
  readonly spellings: Spellings;
  readonly vectors: Vectors;
  readonly pageOf: Uint32Array;
  readonly lengths: Uint32Array;
  readonly ords: Uint32Array;
  readonly linkPercents: Uint8Array;
  readonly vectorKinds: Uint8Array;
  readonly titleLengths: Uint32Array;
  readonly firstChunks: Uint32Array;
  /** For each page: 1 if it was deleted. Undefined if none was. */
  deleted: Uint8Array | undefined;
  readonly #bytes: number;
  readonly #facts: (PageFacts | undefined)[] = [];
  #scores: ChunkScores | undefined;
  #postings: PostingList | undefined;

  private constructor(sections: Sections, bytes: number, scanners: Scanners, own: Scanner | undefined) {
    this.sections = sections;
    this.#bytes = bytes;
    this.lexicon = new Lexicon(sections);
    this.spellings = new Spellings(sections, this.lexicon);
    this.vectors = new Vectors(sections, scanners, own);
    this.pageOf = sections.pageOf;
    this.lengths = sections.lengths;
    this.ords = sections.ords;
    this.linkPercents = sections.linkPercents;
    this.vectorKinds = sections.vectorKinds;
    this.titleLengths = sections.titleLengths;
    this.firstChunks = sections.firstChunks;
  }

  /**
   * Opens a segment from its bytes in `parts`, `size` bytes in all. A large segment gets its own scanner, so that its
   * vectors are not copied for each scan.
   */
  static open(parts: Iterable<Uint8Array>, size: number, scanners = new Scanners(), isLarge = false): Segment {
    const own = isLarge ? scanners.withRoomFor(size) : undefined;
    const bytes = own ? new Uint8Array(own.memory.buffer) : new Uint8Array(size);
    let offset = 0;
    for (const part of parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return new Segment(decodeSections(bytes.buffer), size, scanners, own);
  }

  get size(): number {
    return this.titleLengths.length;
  }

  get chunks(): number {
    return this.pageOf.length;
  }

  /** Returns the bytes of the segment, and an estimate of the memory that searches add. */
  get bytes(): number {
    return this.#bytes + this.#facts.length * ESTIMATED_BYTES_OF_FACTS;
  }

  get ids(): Uint32Array {
    return this.sections.pageIds;
  }

  /** Returns empty scores, valid until the next call. Reused: allocating them for each query is expensive. */
  emptyScores(): ChunkScores {
    this.#scores ??= new ChunkScores(this.chunks, this.size);
    return this.#scores.clear();
  }

  /** Returns a posting list, valid until the next call. Reused: allocating a list takes longer than reading one. */
  reusedPostings(): PostingList {
    this.#postings ??= new PostingList();
    return this.#postings;
  }

  /** Deletes the page with this row id. Ignores pages of other segments. */
  delete(id: number): void {
    const page = binarySearch(this.ids, this.size, id);
    if (page === undefined) return;
    this.deleted ??= new Uint8Array(this.size);
    if (this.deleted[page] === 1) return;
    this.deleted[page] = 1;
    this.spellings.discount(this.spellingsOf(page));
  }

  isLive(page: number): boolean {
    return this.deleted === undefined || this.deleted[page] === 0;
  }

  livePages(): readonly PageFacts[] {
    const pages = Array.from({ length: this.size }, (_, page) => page);
    return pages.filter((page) => this.isLive(page)).map((page) => this.factsOf(page));
  }

  /** Returns the range of a page's chunks; `end` is exclusive. */
  chunksOf(page: number): readonly [from: number, end: number] {
    return [this.firstChunks[page] as number, this.firstChunks[page + 1] as number];
  }

  factsOf(page: number): PageFacts {
    const known = this.#facts[page];
    if (known) return known;
    const facts: PageFacts = { ...JSON.parse(Buffer.from(this.packedFacts(page)).toString()), id: this.ids[page] };
    this.#facts[page] = facts;
    return facts;
  }

  packedFacts(page: number): Uint8Array {
    const { facts, factStarts } = this.sections;
    return facts.subarray(factStarts[page], factStarts[page + 1]);
  }

  /** Returns a reader of the term's postings (segment-format.ts), including those of deleted chunks. */
  postingsAt(term: number): VarintReader {
    return new VarintReader(this.sections.postings, this.sections.postingStarts[term]);
  }

  /**
   * Visits the chunks that have the term in a label, deleted ones included, with the length of the shortest such label.
   */
  forEachLabel(term: number, visit: (chunk: number, length: number) => void): void {
    const { labelStarts, labelChunks, labelLengths } = this.sections;
    const end = labelStarts[term + 1] as number;
    for (let i = labelStarts[term] as number; i < end; i++) visit(labelChunks[i] as number, labelLengths[i] as number);
  }

  /** Returns the pages, deleted ones included, that have the term, or one of the terms before `end`, in their title. */
  titlesWith(term: number, end = term + 1): Uint32Array {
    const { titleStarts, titlePages } = this.sections;
    return titlePages.subarray(titleStarts[term], titleStarts[end]);
  }

  /**
   * Returns a reader of the number of a page's title terms and of their ranks, which include the title's spelled words.
   */
  titleAt(page: number): VarintReader {
    return new VarintReader(this.sections.forward, this.sections.pageStarts[page]);
  }

  /** Returns a reader of the ranks of a chunk's terms, followed by the number of its labels and by these. */
  readerAt(chunk: number): VarintReader {
    return new VarintReader(this.sections.forward, this.sections.chunkStarts[chunk]);
  }

  /** Returns a page's spelled words, as indexes among all spelled words of the segment. */
  spellingsOf(page: number): Uint32Array {
    const reader = this.titleAt(page);
    for (let left = reader.next(); left > 0; left--) reader.next();
    return reader.nextAscending();
  }

  /** Returns the term's number in the forward index. */
  rankOf(term: number): number {
    return this.sections.termRanks[term] as number;
  }

  blockOf(chunk: number): VectorBlock | undefined {
    const kind = this.vectorKinds[chunk] as number;
    return kind === 0 ? undefined : VECTOR_BLOCKS[kind - 1];
  }
}
