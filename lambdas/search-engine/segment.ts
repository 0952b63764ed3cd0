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

/** A generation of a site as searches read it: its segments, and the numbers of its chunks and of their terms. */
export type OpenSite = {
  readonly chunks: number;
  readonly terms: number;
  readonly segments: readonly Segment[];
};

/** Pages of a site as searches read them: views of its bytes (segment-format.ts), which never change. */
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
  /** By page: 1 for one that was deleted since. Undefined if all are there. */
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
   * `parts` are the bytes in pieces, from wherever they are stored; `size` is that of all. A large segment has a
   * scanner of its own, so that its vectors are not copied for each scan.
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

  /** Bytes of the segment, with an estimate of what searches keep beside it. */
  get bytes(): number {
    return this.#bytes + this.#facts.length * ESTIMATED_BYTES_OF_FACTS;
  }

  get ids(): Uint32Array {
    return this.sections.pageIds;
  }

  /** Scores that are empty and valid until the next call. Reused: allocating them for each query is expensive. */
  emptyScores(): ChunkScores {
    this.#scores ??= new ChunkScores(this.chunks, this.size);
    return this.#scores.clear();
  }

  /** A list that is valid until the next call. Reused: allocating a list takes longer than reading one. */
  reusedPostings(): PostingList {
    this.#postings ??= new PostingList();
    return this.#postings;
  }

  /** `id` is the page's row in the file. Other segments' pages are ignored. */
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

  /** The range of a page's chunks; `end` is exclusive. */
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

  /** A reader of the term's postings (segment-format.ts), those of deleted chunks included. */
  postingsAt(term: number): VarintReader {
    return new VarintReader(this.sections.postings, this.sections.postingStarts[term]);
  }

  /** Visits the chunks, deleted ones included, of which the term is in a label, with the length of its shortest one. */
  forEachLabel(term: number, visit: (chunk: number, length: number) => void): void {
    const { labelStarts, labelChunks, labelLengths } = this.sections;
    const end = labelStarts[term + 1] as number;
    for (let i = labelStarts[term] as number; i < end; i++) visit(labelChunks[i] as number, labelLengths[i] as number);
  }

  /** The pages, deleted ones included, that have the term in their title, or one of the terms before `end`. */
  titlesWith(term: number, end = term + 1): Uint32Array {
    const { titleStarts, titlePages } = this.sections;
    return titlePages.subarray(titleStarts[term], titleStarts[end]);
  }

  /** A reader of the number of a page's title terms and of their ranks, among them its words as they are spelled. */
  titleAt(page: number): VarintReader {
    return new VarintReader(this.sections.forward, this.sections.pageStarts[page]);
  }

  /** A reader of the ranks of a chunk's terms, then of the number of its labels and of these. */
  readerAt(chunk: number): VarintReader {
    return new VarintReader(this.sections.forward, this.sections.chunkStarts[chunk]);
  }

  /** A page's words as they are spelled: their places among all of these. */
  spellingsOf(page: number): Uint32Array {
    const reader = this.titleAt(page);
    for (let left = reader.next(); left > 0; left--) reader.next();
    return reader.nextAscending();
  }

  /** The term's number in the forward index. */
  rankOf(term: number): number {
    return this.sections.termRanks[term] as number;
  }

  blockOf(chunk: number): VectorBlock | undefined {
    const kind = this.vectorKinds[chunk] as number;
    return kind === 0 ? undefined : VECTOR_BLOCKS[kind - 1];
  }
}
