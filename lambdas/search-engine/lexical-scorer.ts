import type { QueryTerm } from '../core/language/query-terms.ts';
import { type SiteStatistics, saturation } from '../core/search/bm25.ts';
import type { WeightedTerms } from '../core/search/weighted-terms.ts';
import type { ChunkScores } from './chunk-scores.ts';
import { PostingList } from './posting-list.ts';
import type { Segment } from './segment.ts';

/** A query term as looked up in a segment, with the ids of its forms. */
type TermLookup = { readonly ids: readonly number[]; readonly postings: PostingList };

/** Looks up a query's terms in a segment and scores its chunks. Every array has one entry per query term. */
export class LexicalScorer {
  readonly #segment: Segment;
  readonly #lookups: readonly TermLookup[];

  constructor(query: readonly QueryTerm[], segment: Segment) {
    this.#segment = segment;
    this.#lookups = query.map(({ forms }) => {
      const ids = forms.flatMap((form) => segment.lexicon.idOf(form) ?? []);
      return { ids, postings: postingsOfAny(ids, segment) };
    });
  }

  get documentFrequency(): readonly number[] {
    return this.#lookups.map(({ postings }) => postings.length);
  }

  get ids(): readonly (readonly number[])[] {
    return this.#lookups.map(({ ids }) => ids);
  }

  /** Scores each chunk and title without reading its terms. The result is valid until the next query. */
  score({ weights }: WeightedTerms, { averageLength }: SiteStatistics): ChunkScores {
    const segment = this.#segment;
    const scores = segment.emptyScores();
    for (const [i, { ids, postings: list }] of this.#lookups.entries()) {
      const weight = weights[i] as number;
      for (const id of ids) scores.addTitles(i, segment.titlesWith(id));
      if (weight === 0) continue;
      addScores(scores, i, list, { weight, lengths: segment.lengths, averageLength });
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
  const [chunkNumbers, counts] = [chunks.numbers, frequencies.numbers];
  const bit = 1 << term;
  for (let i = 0; i < length; i++) {
    const chunk = chunkNumbers[i] as number;
    if (terms[chunk] === 0) withTerms.push(chunk);
    const share = saturation(counts[i] as number, lengths[chunk] as number, averageLength);
    words[chunk] = (words[chunk] as number) + weight * share;
    weights[chunk] = (weights[chunk] as number) + weight;
    terms[chunk] = (terms[chunk] as number) | bit;
  }
}

const NO_POSTINGS = new PostingList();

/** The live chunks with any of the terms, each once, with the sum of the frequencies. */
export function postingsOfAny(ids: readonly number[], segment: Segment): PostingList {
  const [first, ...others] = ids;
  if (first === undefined) return NO_POSTINGS;
  const list = segment.postings(first);
  for (const id of others) list.append(segment.postings(id));
  const { deleted, pageOf } = segment;
  const live = deleted === undefined ? list : list.filter((chunk) => deleted[pageOf[chunk] as number] === 0);
  return others.length > 0 ? live.merged(segment.chunks) : live;
}
