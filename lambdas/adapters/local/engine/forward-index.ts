import { GrowableArray, uint8s, uint32s } from './growable-array.ts';
import type { Lexicon } from './lexicon.ts';
import type { PageFacts } from './page-facts.ts';
import { Spellings } from './spellings.ts';
import { packedChunks, packedSpellings } from './term-encoding.ts';
import { VarintReader, VarintWriter } from './varints.ts';

const ESTIMATED_BYTES_OF_FACTS = 1000;
/** Below this number of removed chunks the index is never sparse. */
const MIN_REMOVED = 1000;

/** All terms of a partition, by page and chunk. Both are numbered from 0 in the order of adding. */
export class ForwardIndex {
  // One entry per page.
  readonly facts: PageFacts[] = [];
  readonly #firstChunks = new GrowableArray(uint32s);
  /** 0 for a removed page. */
  readonly live = new GrowableArray(uint8s);
  readonly #titleOffsets = new GrowableArray(uint32s);
  // One entry per chunk.
  readonly pageOf = new GrowableArray(uint32s);
  readonly lengths = new GrowableArray(uint32s);
  readonly ords = new GrowableArray(uint32s);
  readonly linkPercents = new GrowableArray(uint8s);
  readonly #offsets = new GrowableArray(uint32s);
  /** By term: the pages that have it in their title. */
  readonly #titlePages = new Map<number, number[]>();
  readonly #terms = new VarintWriter();
  readonly #pageById = new Map<number, number>();
  /** Of the live pages. */
  readonly spellings: Spellings;
  #removedChunks = 0;

  constructor(lexicon: Lexicon) {
    this.spellings = new Spellings(lexicon);
  }

  get size(): number {
    return this.facts.length;
  }

  get chunks(): number {
    return this.pageOf.length;
  }

  get bytes(): number {
    const arrays = [
      this.#firstChunks,
      this.live,
      this.#titleOffsets,
      this.pageOf,
      this.lengths,
      this.ords,
      this.linkPercents,
      this.#offsets,
    ];
    return arrays.reduce((sum, { bytes }) => sum + bytes, this.#terms.capacity + this.size * ESTIMATED_BYTES_OF_FACTS);
  }

  get isWhole(): boolean {
    return this.#removedChunks === 0;
  }

  get isSparse(): boolean {
    return this.#removedChunks > Math.max(MIN_REMOVED, this.chunks / 2);
  }

  /** Returns the number of the page's first chunk. */
  add(facts: PageFacts, packedTerms: Uint8Array): number {
    const page = this.size;
    const first = this.chunks;
    const start = this.#terms.length;
    this.#terms.append(packedTerms);
    const reader = new VarintReader(packedTerms);
    for (let left = reader.next(); left > 0; left--) this.#addTitleTerm(reader.next(), page);
    this.facts.push(facts);
    this.#pageById.set(facts.id, page);
    this.#firstChunks.push(first);
    this.live.push(1);
    this.#titleOffsets.push(start);
    for (const chunk of packedChunks(reader)) {
      this.pageOf.push(page);
      this.ords.push(chunk.ord);
      this.linkPercents.push(chunk.linkPercent);
      this.lengths.push(chunk.length);
      this.#offsets.push(start + chunk.start);
    }
    this.spellings.count(packedSpellings(reader, packedTerms.length), 1);
    return first;
  }

  /** `id` is the page's row in the file. */
  remove(id: number): void {
    const page = this.#pageById.get(id);
    if (page === undefined) return;
    this.#pageById.delete(id);
    this.live.numbers[page] = 0;
    this.spellings.count(this.#spellingsOf(page), -1);
    this.#removedChunks += this.#endOf(page) - (this.#firstChunks.numbers[page] as number);
  }

  livePages(): readonly PageFacts[] {
    return this.facts.filter((_, page) => this.live.numbers[page] === 1);
  }

  isLive(chunk: number): boolean {
    return this.live.numbers[this.pageOf.numbers[chunk] as number] === 1;
  }

  /** The range of a page's chunk numbers; `end` is exclusive. */
  chunksOf(page: number): readonly [from: number, end: number] {
    return [this.#firstChunks.numbers[page] as number, this.#endOf(page)];
  }

  /** The pages, removed ones included, that have the term in their title. */
  titlesWith(term: number): readonly number[] {
    return this.#titlePages.get(term) ?? [];
  }

  /** A reader of the number of a page's title terms and of these terms. */
  titleAt(page: number): VarintReader {
    return new VarintReader(this.#terms.view(), this.#titleOffsets.numbers[page]);
  }

  readerAt(chunk: number): VarintReader {
    return new VarintReader(this.#terms.view(), this.#offsets.numbers[chunk]);
  }

  #spellingsOf(page: number): Iterable<number> {
    const reader = this.titleAt(page);
    for (let left = reader.next(); left > 0; left--) reader.next();
    for (const _ of packedChunks(reader));
    const end = page + 1 < this.size ? (this.#titleOffsets.numbers[page + 1] as number) : this.#terms.length;
    return packedSpellings(reader, end);
  }

  #addTitleTerm(term: number, page: number): void {
    const pages = this.#titlePages.get(term);
    if (pages) pages.push(page);
    else this.#titlePages.set(term, [page]);
  }

  #endOf(page: number): number {
    return page + 1 < this.size ? (this.#firstChunks.numbers[page + 1] as number) : this.chunks;
  }
}
