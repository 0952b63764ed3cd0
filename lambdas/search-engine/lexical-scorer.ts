import type { QueryTerm, SiteStatistics } from '../domain/ports/index-reader.ts';
import { saturation } from '../domain/search/rank/bm25.ts';
import type { WeightedTerms } from '../domain/search/rank/weighted-terms.ts';
import type { ChunkScores } from './chunk-scores.ts';
import type { PostingList } from './posting-list.ts';
import type { Segment } from './segment.ts';

/** The chunks of a segment that have any of some forms of a word. */
export class WordPostings {
  readonly ids: readonly number[];
  readonly #segment: Segment;

  constructor(forms: readonly string[], segment: Segment) {
    this.#segment = segment;
    this.ids = forms.flatMap((form) => segment.lexicon.idOf(form) ?? []);
  }

  /** Returns the number of live chunks. */
  get count(): number {
    const [id] = this.ids;
    if (id === undefined) return 0;
    const isStored = this.ids.length === 1 && this.#segment.deleted === undefined;
    return isStored ? this.#segment.postingsAt(id).next() : this.read().length;
  }

  /**
   * Returns the live chunks, each once, with the summed frequencies of the forms. Valid until any word of the segment
   * is read.
   */
  read(): PostingList {
    const { deleted, pageOf, chunks } = this.#segment;
    const postings = this.#segment.reusedPostings();
    const readers = this.ids.map((id) => this.#segment.postingsAt(id));
    const [only] = readers;
    if (only && readers.length === 1) postings.read(only);
    else postings.merge(readers, chunks);
    if (deleted) postings.keep((chunk) => deleted[pageOf[chunk] as number] === 0);
    return postings;
  }
}

/** Looks up a query's terms in a segment and scores its chunks. Every array has one entry per query term. */
export class LexicalScorer {
  readonly #segment: Segment;
  readonly #words: readonly WordPostings[];

  constructor(query: readonly QueryTerm[], segment: Segment) {
    this.#segment = segment;
    this.#words = query.map(({ forms }) => new WordPostings(forms, segment));
  }

  get documentFrequency(): readonly number[] {
    return this.#words.map(({ count }) => count);
  }

  get ids(): readonly (readonly number[])[] {
    return this.#words.map(({ ids }) => ids);
  }

  /** Scores each chunk and title without reading its terms. The result is valid until the next query. */
  score({ weights }: WeightedTerms, { averageLength }: SiteStatistics): ChunkScores {
    const segment = this.#segment;
    const scores = segment.emptyScores();
    for (const [i, word] of this.#words.entries()) {
      const { ids } = word;
      const weight = weights[i] as number;
      for (const id of ids) scores.addTitles(i, segment.titlesWith(id));
      if (weight === 0 || ids.length === 0) continue;
      addScores(scores, i, word.read(), { weight, lengths: segment.lengths, averageLength });
      for (const id of ids) segment.forEachLabel(id, (chunk, length) => scores.addLabel(i, chunk, length));
    }
    return scores;
  }
}

type Weighting = { readonly weight: number; readonly lengths: Uint32Array; readonly averageLength: number };

function addScores(
  { words, weights, terms, withTerms }: ChunkScores,
  term: number,
  { chunks, frequencies, length }: PostingList,
  { weight, lengths, averageLength }: Weighting,
): void {
  const bit = 1 << term;
  for (let i = 0; i < length; i++) {
    const chunk = chunks[i] as number;
    if (terms[chunk] === 0) withTerms.push(chunk);
    const share = saturation(frequencies[i] as number, lengths[chunk] as number, averageLength);
    words[chunk] = (words[chunk] as number) + weight * share;
    weights[chunk] = (weights[chunk] as number) + weight;
    terms[chunk] = (terms[chunk] as number) | bit;
  }
}
