import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { type TermMatches, termMatcher } from '../../../core/language/term-matches.ts';
import type { Term } from '../../../core/language/terms.ts';
import {
  type CandidateChunk,
  MAX_TERM_FREQUENCY,
  type PageCandidate,
  type SiteScope,
} from '../../../core/ports/page-index.ts';
import type { WordMatches } from './lexical-scorer.ts';
import type { PageFacts } from './page-facts.ts';
import type { SpaceIndex } from './space-index.ts';
import type { VarintReader } from './varints.ts';
import type { VectorScan } from './vector-index.ts';

/** A query as it was looked up in one site. */
type Found = {
  readonly scope: SiteScope;
  readonly index: SpaceIndex;
  readonly terms: readonly QueryTerm[];
  readonly matches: WordMatches;
  readonly scan: VectorScan | undefined;
};

/** What speaks for some chunks, by their pages. */
export function evidenceOf(found: Found, chunks: ReadonlySet<number>): readonly PageCandidate[] {
  const { scope, index, matches } = found;
  const sought = new Sought(found);
  const chunkEvidence = chunkReader(found, sought);
  const byPage = Map.groupBy(
    [...chunks].sort((a, b) => a - b),
    (chunk) => index.pages.pageOf.numbers[chunk] as number,
  );
  return Array.from(byPage, ([page, own]) => {
    const { urlHash, url, tags, facts, titleLength } = index.pages.facts[page] as PageFacts;
    const inTitle = sought.inTitle(index.pages.titleAt(page));
    return {
      ...{ siteId: scope.siteId, generation: scope.generation, urlHash, url, tags, facts, titleLength, inTitle },
      inPage: matches.inPage(page).map((has, place) => has || inTitle[place] === true),
      block: own.map((chunk) => index.vectors.blockOf(chunk)).find((block) => block !== undefined) ?? 'table',
      chunks: own.map(chunkEvidence),
    };
  });
}

function chunkReader({ index: { pages }, scan }: Found, sought: Sought): (chunk: number) => CandidateChunk {
  return (chunk) => {
    const length = pages.lengths.numbers[chunk] as number;
    const reader = pages.readerAt(chunk);
    const { frequencies, phrase } = sought.termMatches(reader, length);
    const cosine = scan?.cosineOf(chunk);
    return {
      ord: pages.ords.numbers[chunk] as number,
      length,
      frequencies: frequencies.map((frequency) => Math.min(frequency, MAX_TERM_FREQUENCY)),
      phrase,
      labelLengths: sought.labelLengths(reader),
      linkShare: (pages.linkPercents.numbers[chunk] as number) / 100,
      ...(cosine !== undefined && { cosine }),
    };
  };
}

/** The terms of a query, as they are looked for in what is packed of a chunk. */
class Sought {
  readonly #ids: readonly (readonly number[])[];
  readonly #match: (text: readonly Pick<Term, 'term' | 'position'>[]) => TermMatches;
  readonly #terms = new Map<number, string>();
  readonly #isSought: Uint8Array;

  constructor({ terms, matches: { ids }, index: { lexicon } }: Found) {
    this.#ids = ids;
    this.#isSought = new Uint8Array(lexicon.size);
    for (const id of ids.flat()) {
      this.#terms.set(id, lexicon.termOf(id));
      this.#isSought[id] = 1;
    }
    const known = terms.map((term, place) => ({ ...term, forms: (ids[place] ?? []).map((id) => lexicon.termOf(id)) }));
    this.#match = termMatcher(known);
  }

  inTitle(reader: VarintReader): readonly boolean[] {
    const found = this.#ids.map(() => false);
    for (let left = reader.next(); left > 0; left--) {
      const id = reader.next();
      if (this.#isSought[id] === 1) for (const place of this.#placesOf(id)) found[place] = true;
    }
    return found;
  }

  /** Reads a chunk's terms. */
  termMatches(reader: VarintReader, length: number): TermMatches {
    const found: Pick<Term, 'term' | 'position'>[] = [];
    let position = -1;
    for (let left = length; left > 0; left--) {
      const packed = reader.next();
      if ((packed & 1) === 0) position++;
      const id = packed >>> 1;
      if (this.#isSought[id] === 1) found.push({ term: this.#terms.get(id) ?? '', position });
    }
    return this.#match(found);
  }

  /** Reads the labels that follow. */
  labelLengths(reader: VarintReader): readonly number[] {
    const lengths = this.#ids.map(() => 0);
    for (let left = reader.next(); left > 0; left--) {
      const label = reader.next();
      const id = label >>> 4;
      if (this.#isSought[id] !== 1) continue;
      for (const place of this.#placesOf(id)) lengths[place] = Math.min(lengths[place] || Infinity, label & 15);
    }
    return lengths;
  }

  #placesOf(id: number): readonly number[] {
    return this.#ids.flatMap((ids, place) => (ids.includes(id) ? [place] : []));
  }
}
