import { Column, uint8s, uint32s } from './growable-array.ts';
import type { PageFacts } from './page-facts.ts';
import { packedChunks } from './page-words.ts';
import { VarintReader, VarintWriter } from './varints.ts';

/** Roughly, of a page with some tags. */
const BYTES_OF_FACTS = 1000;

/**
 * The pages of a space and their chunks, in memory, both numbered from 0 on in the order in which they came, with all their terms.
 * A page that is removed keeps its numbers.
 */
export class PageTable {
  /** By page: what is said of it, its first chunk, whether it is still there, where its title's terms are. */
  readonly facts: PageFacts[] = [];
  readonly #firstChunks = new Column(uint32s);
  readonly live = new Column(uint8s);
  readonly #titles = new Column(uint32s);
  /** By chunk. */
  readonly pageOf = new Column(uint32s);
  readonly lengths = new Column(uint32s);
  readonly ords = new Column(uint32s);
  readonly linkPercents = new Column(uint8s);
  readonly #starts = new Column(uint32s);
  readonly #words = new VarintWriter();
  readonly #places = new Map<number, number>();
  #gone = 0;

  get size(): number {
    return this.facts.length;
  }

  get chunks(): number {
    return this.pageOf.length;
  }

  get bytes(): number {
    const columns = [
      this.#firstChunks,
      this.live,
      this.#titles,
      this.pageOf,
      this.lengths,
      this.ords,
      this.linkPercents,
      this.#starts,
    ];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.#words.bytes + this.size * BYTES_OF_FACTS);
  }

  /** No page of it is gone. */
  get isWhole(): boolean {
    return this.#gone === 0;
  }

  /** Half of it stands for pages that are gone. */
  get isSparse(): boolean {
    return this.#gone > Math.max(1000, this.chunks / 2);
  }

  /** Answers the number of the page's first chunk. */
  add(facts: PageFacts, words: Uint8Array): number {
    const page = this.size;
    const first = this.chunks;
    const start = this.#words.length;
    this.#words.append(words);
    const reader = new VarintReader(words);
    for (let left = reader.next(); left > 0; left--) reader.next();
    this.facts.push(facts);
    this.#places.set(facts.id, page);
    this.#firstChunks.push(first);
    this.live.push(1);
    this.#titles.push(start);
    for (const chunk of packedChunks(reader)) {
      this.pageOf.push(page);
      this.ords.push(chunk.ord);
      this.linkPercents.push(chunk.linkPercent);
      this.lengths.push(chunk.length);
      this.#starts.push(start + chunk.start);
    }
    return first;
  }

  remove(id: number): void {
    const page = this.#places.get(id);
    if (page === undefined) return;
    this.#places.delete(id);
    this.live.numbers[page] = 0;
    this.#gone += this.#endOf(page) - (this.#firstChunks.numbers[page] as number);
  }

  /** What is said of the pages that are there. */
  present(): readonly PageFacts[] {
    return this.facts.filter((_, page) => this.live.numbers[page] === 1);
  }

  /** Whether the page of a chunk is still there. */
  has(chunk: number): boolean {
    return this.live.numbers[this.pageOf.numbers[chunk] as number] === 1;
  }

  /** The numbers of a page's chunks: from the first on, below the second. */
  chunksOf(page: number): readonly [from: number, end: number] {
    return [this.#firstChunks.numbers[page] as number, this.#endOf(page)];
  }

  /** Stands at the number of terms that a page's title has; they follow. */
  titleAt(page: number): VarintReader {
    return new VarintReader(this.#words.view(), this.#titles.numbers[page]);
  }

  /** Stands at the first term of a chunk; behind the last of its `lengths` terms come the labels (page-words.ts). */
  readerAt(chunk: number): VarintReader {
    return new VarintReader(this.#words.view(), this.#starts.numbers[chunk]);
  }

  #endOf(page: number): number {
    return page + 1 < this.size ? (this.#firstChunks.numbers[page + 1] as number) : this.chunks;
  }
}
