import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { MOST_CORRECTIONS } from '../../../core/language/spelling.ts';
import { type SiteStatistics, saturation, TYPO_WEIGHT, termWeights } from '../../../core/search/ranking.ts';
import type { PageTable } from './forward-index.ts';
import { PostingList } from './postings.ts';
import type { SpaceIndex } from './space-index.ts';
import { type Admitted, TopPages } from './top-k.ts';

/** One term of a query as a space knows it. */
type Match = {
  readonly ids: readonly number[];
  readonly isTypo: boolean;
  readonly postings: PostingList;
};

/** What a space has of a query's terms, by their places. */
export class WordMatches {
  readonly #index: SpaceIndex;
  readonly #query: readonly QueryTerm[];
  readonly #matches: readonly Match[];

  constructor(query: readonly QueryTerm[], index: SpaceIndex) {
    this.#index = index;
    this.#query = query;
    this.#matches = query.map((term) => matchOf(term, index));
  }

  /** In how many chunks each term itself is. */
  get documentFrequency(): readonly number[] {
    return this.#matches.map(({ isTypo, postings }) => (isTypo ? 0 : postings.length));
  }

  /** The forms of each term, or the words near it, as the lexicon numbers them. */
  get ids(): readonly (readonly number[])[] {
    return this.#matches.map(({ ids }) => ids);
  }

  get typos(): readonly boolean[] {
    return this.#matches.map(({ isTypo }) => isTypo);
  }

  /** By place of a term: whether one of the page's chunks has it. */
  inPage(page: number): readonly boolean[] {
    const [first, end] = this.#index.pages.chunksOf(page);
    return this.#matches.map(({ postings }) => postings.hasAny(first, end));
  }

  /** The pages by the very measure of words that ranks them. */
  ranked(statistics: SiteStatistics): RankedByWords {
    const { pages } = this.#index;
    const weights = termWeights(this.#query, statistics);
    const sums = this.#index.freshSums();
    for (const [place, { isTypo, postings }] of this.#matches.entries()) {
      const weight = (weights[place] as number) * (isTypo ? TYPO_WEIGHT : 1);
      if (weight > 0) addWeighted(sums, postings, weight, pages.lengths.numbers, statistics.averageLength);
    }
    return new RankedByWords(sums, pages);
  }
}

/** Good until the next query. */
class RankedByWords {
  readonly #sums: Float32Array;
  readonly #pages: PageTable;

  /** By chunk: the sum of what its words count, 0 if it has none. */
  constructor(sums: Float32Array, pages: PageTable) {
    this.#sums = sums;
    this.#pages = pages;
  }

  /** The best chunk of each of the best pages that count. */
  top(size: number, admitted: Admitted): readonly number[] {
    const top = new TopPages(size, 0);
    const sums = this.#sums;
    const { chunks, pageOf } = this.#pages;
    let { least } = top;
    for (let chunk = 0; chunk < chunks; chunk++) {
      const sum = sums[chunk] as number;
      if (sum <= least) continue;
      const page = pageOf.numbers[chunk] as number;
      if (admitted?.[page] !== 0) top.offer(page, chunk, sum);
      least = top.least;
    }
    return top.chunks;
  }

  /** Whether more pages that count have one of the words. */
  hasMoreThan(size: number, admitted: Admitted): boolean {
    const pageOf = this.#pages.pageOf.numbers;
    let last = -1;
    let count = 0;
    for (let chunk = 0; chunk < this.#pages.chunks && count <= size; chunk++) {
      if (this.#sums[chunk] === 0) continue;
      const page = pageOf[chunk] as number;
      if (page !== last && admitted?.[page] !== 0) count++;
      last = page;
    }
    return count > size;
  }
}

function addWeighted(
  sums: Float32Array,
  { chunks, frequencies, length }: PostingList,
  weight: number,
  lengths: Uint32Array,
  averageLength: number,
): void {
  const [found, counts] = [chunks.numbers, frequencies.numbers];
  for (let i = 0; i < length; i++) {
    const chunk = found[i] as number;
    const share = saturation(counts[i] as number, lengths[chunk] as number, averageLength);
    sums[chunk] = (sums[chunk] as number) + weight * share;
  }
}

function matchOf({ forms, question }: QueryTerm, index: SpaceIndex): Match {
  const ids = forms.flatMap((form) => index.lexicon.idOf(form) ?? []);
  const postings = chunksWith(ids, index);
  if (question || postings.length > 0) return { ids, isTypo: false, postings };
  const near = nearWords(forms, index);
  return { ids: near, isTypo: near.length > 0, postings: chunksWith(near, index) };
}

/** Those that pages still have. */
function nearWords(forms: readonly string[], index: SpaceIndex): readonly number[] {
  const { lexicon } = index;
  const near = [...new Set(forms.flatMap((form) => lexicon.near(form)))];
  return near
    .map((id) => ({ id, chunks: chunksWith([id], index).length }))
    .filter(({ chunks }) => chunks > 0)
    .sort((a, b) => b.chunks - a.chunks || (lexicon.termOf(a.id) < lexicon.termOf(b.id) ? -1 : 1))
    .slice(0, MOST_CORRECTIONS)
    .map(({ id }) => id);
}

/** The chunks of pages that are there with one of some terms, each once, with how often it has any of them. */
export function chunksWith(ids: readonly number[], { pages, postings }: SpaceIndex): PostingList {
  const [first] = ids;
  const list = ids.length === 1 && first !== undefined ? postings.of(first) : new PostingList();
  if (ids.length > 1) for (const id of ids) list.append(postings.of(id));
  const present = pages.isWhole ? list : list.filter((chunk) => pages.has(chunk));
  return ids.length > 1 ? present.merged(pages.chunks) : present;
}
