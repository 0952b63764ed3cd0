import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { MOST_CORRECTIONS } from '../../../core/language/spelling.ts';
import { type SiteStatistics, saturation, termWeights } from '../../../core/search/bm25.ts';
import { TYPO_WEIGHT } from '../../../core/search/ranking.ts';
import type { ForwardIndex } from './forward-index.ts';
import type { PartitionIndex } from './partition-index.ts';
import { PostingList } from './posting-list.ts';
import { type PageMask, TopPages } from './top-k.ts';

/** A query term as looked up in a partition. `ids` are those of its forms or, for a typo, of similar terms. */
type TermLookup = {
  readonly ids: readonly number[];
  readonly isTypo: boolean;
  readonly postings: PostingList;
};

/** Looks up a query's terms in a partition and scores its chunks. Every array has one entry per query term. */
export class LexicalScorer {
  readonly #index: PartitionIndex;
  readonly #query: readonly QueryTerm[];
  readonly #lookups: readonly TermLookup[];

  constructor(query: readonly QueryTerm[], index: PartitionIndex) {
    this.#index = index;
    this.#query = query;
    this.#lookups = query.map((term) => lookUp(term, index));
  }

  /** 0 for a typo, since its postings are those of similar terms. */
  get documentFrequency(): readonly number[] {
    return this.#lookups.map(({ isTypo, postings }) => (isTypo ? 0 : postings.length));
  }

  get ids(): readonly (readonly number[])[] {
    return this.#lookups.map(({ ids }) => ids);
  }

  get typos(): readonly boolean[] {
    return this.#lookups.map(({ isTypo }) => isTypo);
  }

  inPage(page: number): readonly boolean[] {
    const [first, end] = this.#index.pages.chunksOf(page);
    return this.#lookups.map(({ postings }) => postings.hasAny(first, end));
  }

  /** By the same formula as the final ranking, so that no better page is missed. */
  score(statistics: SiteStatistics): ScoredChunks {
    const { pages } = this.#index;
    const weights = termWeights(this.#query, statistics);
    const highest = weights.reduce((sum, weight) => sum + weight, 0);
    const scores = this.#index.emptyScores();
    for (const [i, { isTypo, postings }] of this.#lookups.entries()) {
      const weight = (weights[i] as number) * (isTypo ? TYPO_WEIGHT : 1);
      if (weight > 0) addScores(scores, postings, weight, pages.lengths.numbers, statistics.averageLength);
    }
    return new ScoredChunks(scores, highest, pages);
  }
}

/** Valid until the next query. */
export class ScoredChunks {
  /** By chunk; 0 if it has none of the terms. */
  readonly #scores: Float32Array;
  /** The score of a chunk that consists of the terms: the sum of their weights. */
  readonly #highest: number;
  readonly #pages: ForwardIndex;

  constructor(scores: Float32Array, highest: number, pages: ForwardIndex) {
    this.#scores = scores;
    this.#highest = highest;
    this.#pages = pages;
  }

  top(size: number, mask: PageMask): readonly number[] {
    const top = new TopPages(size, 0);
    const scores = this.#scores;
    const { chunks, pageOf } = this.#pages;
    let { threshold } = top;
    for (let chunk = 0; chunk < chunks; chunk++) {
      const score = scores[chunk] as number;
      if (score <= threshold) continue;
      const page = pageOf.numbers[chunk] as number;
      if (mask?.[page] !== 0) top.offer(page, chunk, score);
      threshold = top.threshold;
    }
    return top.chunks;
  }

  /** 0 to 1, comparable between sites. */
  shareOf(chunk: number): number {
    return (this.#scores[chunk] as number) / this.#highest;
  }

  /** Whether more than `size` allowed pages have one of the terms. */
  hasMoreThan(size: number, mask: PageMask): boolean {
    const pageOf = this.#pages.pageOf.numbers;
    let last = -1;
    let count = 0;
    for (let chunk = 0; chunk < this.#pages.chunks && count <= size; chunk++) {
      if (this.#scores[chunk] === 0) continue;
      const page = pageOf[chunk] as number;
      if (page !== last && mask?.[page] !== 0) count++;
      last = page;
    }
    return count > size;
  }
}

function addScores(
  scores: Float32Array,
  { chunks, frequencies, length }: PostingList,
  weight: number,
  lengths: Uint32Array,
  averageLength: number,
): void {
  const [chunkNumbers, counts] = [chunks.numbers, frequencies.numbers];
  for (let i = 0; i < length; i++) {
    const chunk = chunkNumbers[i] as number;
    const share = saturation(counts[i] as number, lengths[chunk] as number, averageLength);
    scores[chunk] = (scores[chunk] as number) + weight * share;
  }
}

function lookUp({ forms, question }: QueryTerm, index: PartitionIndex): TermLookup {
  const ids = forms.flatMap((form) => index.lexicon.idOf(form) ?? []);
  const postings = postingsOfAny(ids, index);
  if (question || postings.length > 0) return { ids, isTypo: false, postings };
  const similar = similarTerms(forms, index);
  return { ids: similar, isTypo: similar.length > 0, postings: postingsOfAny(similar, index) };
}

/** The most frequent terms similar to one of the forms. Terms of removed pages only are left out. */
function similarTerms(forms: readonly string[], index: PartitionIndex): readonly number[] {
  const { lexicon } = index;
  const similar = [...new Set(forms.flatMap((form) => lexicon.similarTo(form)))];
  return similar
    .map((id) => ({ id, chunks: postingsOfAny([id], index).length }))
    .filter(({ chunks }) => chunks > 0)
    .sort((a, b) => b.chunks - a.chunks || (lexicon.termOf(a.id) < lexicon.termOf(b.id) ? -1 : 1))
    .slice(0, MOST_CORRECTIONS)
    .map(({ id }) => id);
}

/** The live chunks with any of the terms, each once, with the sum of the frequencies. */
export function postingsOfAny(ids: readonly number[], { pages, postings }: PartitionIndex): PostingList {
  const [first] = ids;
  const list = ids.length === 1 && first !== undefined ? postings.of(first) : new PostingList();
  if (ids.length > 1) for (const id of ids) list.append(postings.of(id));
  const live = pages.isWhole ? list : list.filter((chunk) => pages.isLive(chunk));
  return ids.length > 1 ? live.merged(pages.chunks) : live;
}
