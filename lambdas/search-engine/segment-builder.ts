import { MAX_TERM_FREQUENCY } from '../domain/ports/index-reader.ts';
import { GrowableArray, increment, uint8s, uint32s } from './arrays.ts';
import { packedDeletions } from './deletions.ts';
import { renumbered } from './id-remapping.ts';
import { packedTerms, TermNumbers } from './lexicon.ts';
import { TermLists, writePostings } from './posting-list.ts';
import { encodeSections } from './segment-format.ts';
import { hasSpelling, letterBits, MARK, spelledTerm } from './spellings.ts';
import { ranksOf } from './term-ranks.ts';
import { VarintWriter } from './varints.ts';
import { type VectorPart, VectorWriter } from './vector-writer.ts';

export type BuiltChunk = {
  readonly ord: number;
  readonly linkPercent: number;
  /** The number of a term * 2, plus 1 if it has the same position as the term before it. */
  readonly terms: Uint32Array;
  /** The number of a labelled term * 16, plus the length of its label. */
  readonly labels: Uint32Array;
  readonly block: VectorPart | undefined;
};

/** A page whose terms are numbers given by the builder. */
export type BuiltPage = {
  readonly id: number;
  readonly titleLength: number;
  /** `PageFacts` as JSON in UTF-8. */
  readonly facts: Uint8Array;
  readonly titleTerms: Uint32Array;
  readonly spellings: Uint32Array;
  readonly chunks: readonly BuiltChunk[];
};

/** Builds a segment of pages. All their terms must be numbered first. */
export class SegmentBuilder {
  readonly #numbers = new TermNumbers();
  /** Numbers of spelled words. Looking a word up here avoids building its marked term. */
  readonly #spelled = new Map<string, number>();

  numberOf(term: string): number {
    return this.#numbers.numberOf(term);
  }

  numberOfSpelled(word: string): number {
    const known = this.#spelled.get(word);
    if (known !== undefined) return known;
    const number = this.numberOf(spelledTerm(word));
    this.#spelled.set(word, number);
    return number;
  }

  /** The pages must come by ascending ids. */
  build(pages: readonly BuiltPage[]): Uint8Array<ArrayBuffer> {
    const { terms, ids } = this.#numbers.sorted();
    const inverted = new Inversion(terms, ids);
    for (const page of pages) inverted.addPage(page);
    return inverted.encode();
  }
}

class Inversion {
  readonly #terms: readonly string[];
  /** Maps the builder's number of a term to its index among all sorted terms. */
  readonly #ids: Uint32Array;
  readonly #spelledFrom: number;
  readonly #spelledPages: Uint32Array<ArrayBuffer>;
  /** `words`: the page's spelled words, as ascending indexes among all spelled words of the segment. */
  readonly #pages: { readonly page: BuiltPage; readonly words: Uint32Array }[] = [];
  readonly #postings = new TermLists();
  readonly #labels = new TermLists();
  readonly #titles = new TermLists();
  readonly #frequencies: Uint8Array;
  readonly #vectors = new VectorWriter();
  readonly #facts: Uint8Array[] = [];
  readonly #columns = {
    pageIds: new GrowableArray(uint32s),
    firstChunks: new GrowableArray(uint32s),
    titleLengths: new GrowableArray(uint32s),
    factStarts: new GrowableArray(uint32s),
    pageOf: new GrowableArray(uint32s),
    ords: new GrowableArray(uint32s),
    lengths: new GrowableArray(uint32s),
    linkPercents: new GrowableArray(uint8s),
  };
  #factBytes = 0;

  constructor(terms: readonly string[], ids: Uint32Array) {
    this.#terms = terms;
    this.#ids = ids;
    this.#frequencies = new Uint8Array(terms.length);
    const from = terms.findIndex(hasSpelling);
    this.#spelledFrom = from < 0 ? terms.length : from;
    const end = terms.findLastIndex(hasSpelling) + 1;
    this.#spelledPages = new Uint32Array(from < 0 ? 0 : end - from);
  }

  addPage(page: BuiltPage): void {
    const columns = this.#columns;
    const index = columns.pageIds.length;
    columns.pageIds.push(page.id);
    columns.firstChunks.push(columns.pageOf.length);
    columns.titleLengths.push(page.titleLength);
    columns.factStarts.push(this.#factBytes);
    this.#facts.push(page.facts);
    this.#factBytes += page.facts.length;
    for (const chunk of page.chunks) this.#addChunk(index, chunk);
    for (const number of page.titleTerms) this.#titles.push(this.#ids[number] as number, index, 0);
    const words = new Uint32Array(page.spellings.length);
    for (let i = 0; i < words.length; i++) {
      words[i] = (this.#ids[page.spellings[i] as number] as number) - this.#spelledFrom;
      increment(this.#spelledPages, words[i] as number);
    }
    this.#pages.push({ page, words: words.sort() });
  }

  #addChunk(page: number, { ord, linkPercent, terms, labels, block }: BuiltChunk): void {
    const columns = this.#columns;
    const chunk = columns.pageOf.length;
    columns.pageOf.push(page);
    columns.ords.push(ord);
    columns.lengths.push(terms.length);
    columns.linkPercents.push(linkPercent);
    const frequencies = this.#frequencies;
    for (let i = 0; i < terms.length; i++) {
      const term = this.#ids[(terms[i] as number) >>> 1] as number;
      const frequency = frequencies[term] as number;
      if (frequency < MAX_TERM_FREQUENCY) frequencies[term] = frequency + 1;
    }
    for (let i = 0; i < terms.length; i++) {
      const term = this.#ids[(terms[i] as number) >>> 1] as number;
      const frequency = frequencies[term] as number;
      if (frequency === 0) continue;
      this.#postings.push(term, chunk, frequency);
      frequencies[term] = 0;
    }
    for (const label of labels) this.#labels.push(this.#ids[label >>> 4] as number, chunk, label & 15);
    this.#vectors.add(chunk, block);
  }

  encode(): Uint8Array<ArrayBuffer> {
    const { pageIds, titleLengths, pageOf, ords, lengths, linkPercents, firstChunks, factStarts } = this.#columns;
    firstChunks.push(pageOf.length);
    factStarts.push(this.#factBytes);
    const count = this.#terms.length;
    const postings = this.#postings.sorted(count);
    const termRanks = ranksOf(postings.starts.subarray(1).map((end, term) => end - (postings.starts[term] as number)));
    const labels = this.#labels.sorted(count);
    const titles = this.#titles.sorted(count);
    const spelled = this.#terms.slice(this.#spelledFrom, this.#spelledFrom + this.#spelledPages.length);
    const words = spelled.map((term) => term.slice(MARK.length));
    return encodeSections({
      ...packedTerms(this.#terms),
      ...packedPostings(postings),
      termRanks,
      labelStarts: labels.starts,
      labelChunks: labels.owners,
      labelLengths: labels.values,
      titleStarts: titles.starts,
      titlePages: titles.owners,
      spelledPages: this.#spelledPages,
      spelledLetters: new Uint32Array(words.map(letterBits)),
      spelledLengths: new Uint8Array(words.map(({ length }) => Math.min(255, length))),
      ...packedDeletions(words),
      pageIds: pageIds.view(),
      firstChunks: firstChunks.view(),
      titleLengths: titleLengths.view(),
      factStarts: factStarts.view(),
      facts: Buffer.concat(this.#facts),
      pageOf: pageOf.view(),
      ords: ords.view(),
      lengths: lengths.view(),
      linkPercents: linkPercents.view(),
      ...this.#forward(termRanks),
      ...this.#vectors.sections(pageOf.length),
    });
  }

  /** Builds the forward index. Must be called last: ranks need the number of chunks of each term. */
  #forward(termRanks: Uint32Array) {
    const [pageStarts, chunkStarts] = [new GrowableArray(uint32s), new GrowableArray(uint32s)];
    const ranks = this.#ids.map((term) => termRanks[term] as number);
    const forward = new VarintWriter();
    for (const { page, words } of this.#pages) {
      for (const { terms, labels } of page.chunks) {
        chunkStarts.push(forward.length);
        writeRenumbered(terms, 1, ranks, forward);
        forward.write(labels.length);
        writeRenumbered(labels, 4, ranks, forward);
      }
      pageStarts.push(forward.length);
      forward.write(page.titleTerms.length);
      writeRenumbered(page.titleTerms, 0, ranks, forward);
      forward.writeAscending(words);
    }
    return { pageStarts: pageStarts.view(), chunkStarts: chunkStarts.view(), forward: forward.view() };
  }
}

function packedPostings({ starts, owners, values }: ReturnType<TermLists['sorted']>) {
  const postings = new VarintWriter();
  const postingStarts = new Uint32Array(starts.length);
  for (let term = 0; term + 1 < starts.length; term++) {
    writePostings(postings, owners, values, starts[term] as number, starts[term + 1] as number);
    postingStarts[term + 1] = postings.length;
  }
  return { postingStarts, postings: postings.view() };
}

function writeRenumbered(packed: Uint32Array, bits: number, numbers: Uint32Array, to: VarintWriter): void {
  for (let i = 0; i < packed.length; i++) to.write(renumbered(packed[i] as number, bits, numbers));
}
