import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { type TermMatches, termMatcher } from '../../../core/language/term-matches.ts';
import type { Term } from '../../../core/language/terms.ts';
import {
  type CandidateChunk,
  MAX_TERM_FREQUENCY,
  type PageCandidate,
  type SiteScope,
} from '../../../core/ports/page-index.ts';
import type { LexicalScorer } from './lexical-scorer.ts';
import type { PageFacts } from './page-facts.ts';
import type { PartitionIndex } from './partition-index.ts';
import type { VarintReader } from './varints.ts';
import type { VectorScan } from './vector-index.ts';

type PartitionQuery = {
  readonly scope: SiteScope;
  readonly index: PartitionIndex;
  readonly terms: readonly QueryTerm[];
  readonly scorer: LexicalScorer;
  readonly scan: VectorScan | undefined;
};

export function candidateFeatures(query: PartitionQuery, chunks: ReadonlySet<number>): readonly PageCandidate[] {
  const { scope, index, scorer } = query;
  const matcher = new PackedTermMatcher(query);
  const chunkFeatures = chunkReader(query, matcher);
  const byPage = Map.groupBy(
    [...chunks].sort((a, b) => a - b),
    (chunk) => index.pages.pageOf.numbers[chunk] as number,
  );
  return Array.from(byPage, ([page, own]) => {
    const { urlHash, url, language, tags, facts, titleLength } = index.pages.facts[page] as PageFacts;
    const inTitle = matcher.inTitle(index.pages.titleAt(page));
    return {
      ...{ siteId: scope.siteId, generation: scope.generation, urlHash, url, language, tags, facts },
      ...{ titleLength, inTitle },
      inPage: scorer.inPage(page).map((isInPage, i) => isInPage || inTitle[i] === true),
      block: own.map((chunk) => index.vectors.blockOf(chunk)).find((block) => block !== undefined) ?? 'table',
      chunks: own.map(chunkFeatures),
    };
  });
}

function chunkReader(
  { index: { pages }, scan }: PartitionQuery,
  matcher: PackedTermMatcher,
): (chunk: number) => CandidateChunk {
  return (chunk) => {
    const length = pages.lengths.numbers[chunk] as number;
    const reader = pages.readerAt(chunk);
    const { frequencies, phrase } = matcher.termMatches(reader, length);
    const cosine = scan?.cosineOf(chunk);
    return {
      ord: pages.ords.numbers[chunk] as number,
      length,
      frequencies: frequencies.map((frequency) => Math.min(frequency, MAX_TERM_FREQUENCY)),
      phrase,
      labelLengths: matcher.labelLengths(reader),
      linkShare: (pages.linkPercents.numbers[chunk] as number) / 100,
      ...(cosine !== undefined && { cosine }),
    };
  };
}

/** Matches a query's terms in packed pages (term-encoding.ts). Every array has one entry per query term. */
class PackedTermMatcher {
  readonly #ids: readonly (readonly number[])[];
  readonly #match: (text: readonly Pick<Term, 'term' | 'position'>[]) => TermMatches;
  readonly #terms = new Map<number, string>();
  /** By term id: 1 for a term of the query. */
  readonly #isInQuery: Uint8Array;

  constructor({ terms, scorer: { ids }, index: { lexicon } }: PartitionQuery) {
    this.#ids = ids;
    this.#isInQuery = new Uint8Array(lexicon.size);
    for (const id of ids.flat()) {
      this.#terms.set(id, lexicon.termOf(id));
      this.#isInQuery[id] = 1;
    }
    const known = terms.map((term, i) => ({ ...term, forms: (ids[i] ?? []).map((id) => lexicon.termOf(id)) }));
    this.#match = termMatcher(known);
  }

  inTitle(reader: VarintReader): readonly boolean[] {
    const found = this.#ids.map(() => false);
    for (let left = reader.next(); left > 0; left--) {
      const id = reader.next();
      if (this.#isInQuery[id] === 1) for (const i of this.#indexesOf(id)) found[i] = true;
    }
    return found;
  }

  termMatches(reader: VarintReader, length: number): TermMatches {
    const found: Pick<Term, 'term' | 'position'>[] = [];
    let position = -1;
    for (let left = length; left > 0; left--) {
      const packed = reader.next();
      if ((packed & 1) === 0) position++;
      const id = packed >>> 1;
      if (this.#isInQuery[id] === 1) found.push({ term: this.#terms.get(id) ?? '', position });
    }
    return this.#match(found);
  }

  labelLengths(reader: VarintReader): readonly number[] {
    const lengths = this.#ids.map(() => 0);
    for (let left = reader.next(); left > 0; left--) {
      const label = reader.next();
      const id = label >>> 4;
      if (this.#isInQuery[id] !== 1) continue;
      for (const i of this.#indexesOf(id)) lengths[i] = Math.min(lengths[i] || Infinity, label & 15);
    }
    return lengths;
  }

  /** The indexes of the query terms that the id belongs to. */
  #indexesOf(id: number): readonly number[] {
    return this.#ids.flatMap((ids, i) => (ids.includes(id) ? [i] : []));
  }
}
