import { type CandidateChunk, MAX_TERM_FREQUENCY, type PageCandidate } from '../domain/ports/index-reader.ts';
import type { SiteScope } from '../domain/ports/page-index.ts';
import type { VectorBlock } from '../text/words/cosine-scale.ts';
import type { TermMatches, termMatcher } from '../text/words/term-matches.ts';
import type { Term } from '../text/words/terms.ts';
import { IdMap } from './arrays.ts';
import type { ChunkScores } from './chunk-scores.ts';
import type { LexicalScorer } from './lexical-scorer.ts';
import type { Segment } from './segment.ts';
import type { VarintReader } from './varints.ts';
import type { VectorScan } from './vectors.ts';

type TermMatcher = ReturnType<typeof termMatcher>;

type SegmentQuery = {
  readonly scope: SiteScope;
  readonly segment: Segment;
  /** Finds the query's terms in a text: the same for all segments. */
  readonly match: TermMatcher;
  readonly lexical: LexicalScorer;
  readonly scan: VectorScan | undefined;
};

/** Reads the features of chunks, and keeps them by page. */
export class CandidateReader {
  readonly #query: SegmentQuery;
  /** Created when the first chunk is read. */
  #made: PackedTermMatcher | undefined;
  readonly #pages = new Map<number, { readonly page: FoundPage; readonly chunks: CandidateChunk[] }>();

  constructor(query: SegmentQuery) {
    this.#query = query;
  }

  get #matcher(): PackedTermMatcher {
    this.#made ??= new PackedTermMatcher(this.#query);
    return this.#made;
  }

  candidates(): readonly PageCandidate[] {
    return Array.from(this.#pages.values(), ({ page, chunks }) => ({ ...page, chunks }));
  }

  /** Reads further chunks of each page, up to `chunksPerPage` in all, best words and cosine first. */
  readMore(chunksPerPage: number, { words, cosines }: ChunkScores): void {
    for (const [page, { chunks }] of this.#pages) {
      const [first, end] = this.#query.segment.chunksOf(page);
      const known = new Set(chunks.map(({ ord }) => ord));
      const { ords } = this.#query.segment;
      const worth = (chunk: number) => (words[chunk] as number) + Math.max(0, cosines[chunk] || 0);
      const others = Array.from({ length: end - first }, (_, i) => first + i).filter(
        (chunk) => !known.has(ords[chunk] as number) && worth(chunk) > 0,
      );
      others.sort((a, b) => worth(b) - worth(a) || a - b);
      for (const chunk of others.slice(0, Math.max(0, chunksPerPage - chunks.length))) this.read(page, chunk);
    }
  }

  read(page: number, chunk: number): { readonly page: FoundPage; readonly chunk: CandidateChunk } {
    const known = this.#pages.get(page) ?? { page: this.#foundPage(page), chunks: [] };
    if (known.chunks.length === 0) this.#pages.set(page, known);
    const features = this.#chunk(chunk, known.page.block);
    known.chunks.push(features);
    return { page: known.page, chunk: features };
  }

  #chunk(chunk: number, blockOfPage: VectorBlock): CandidateChunk {
    const { segment } = this.#query;
    const length = segment.lengths[chunk] as number;
    const reader = segment.readerAt(chunk);
    const { frequencies, phrase } = this.#matcher.termMatches(reader, length);
    const cosine = this.#query.scan?.cosineOf(chunk);
    const block = segment.blockOf(chunk);
    return {
      ord: segment.ords[chunk] as number,
      length,
      frequencies: frequencies.map((frequency) => Math.min(frequency, MAX_TERM_FREQUENCY)),
      phrase,
      labelLengths: this.#matcher.labelLengths(reader),
      linkShare: (segment.linkPercents[chunk] as number) / 100,
      ...(cosine !== undefined && { cosine }),
      ...(block !== undefined && block !== blockOfPage && { block }),
    };
  }

  #foundPage(page: number): FoundPage {
    const { scope, segment } = this.#query;
    const { urlHash, url, language, tags, facts, titleLength } = segment.factsOf(page);
    return {
      siteId: scope.siteId,
      generation: scope.generation,
      urlHash,
      url,
      language,
      tags,
      facts,
      titleLength,
      inTitle: this.#matcher.inTitle(segment.titleAt(page)),
      block: this.#blockOf(page),
    };
  }

  #blockOf(page: number): VectorBlock {
    const { segment } = this.#query;
    const [first, end] = segment.chunksOf(page);
    for (let chunk = first; chunk < end; chunk++) {
      const block = segment.blockOf(chunk);
      if (block !== undefined) return block;
    }
    return 'table';
  }
}

type FoundPage = Omit<PageCandidate, 'chunks'>;

/** Matches a query's terms in the forward index. Every array has one entry per query term. */
class PackedTermMatcher {
  readonly #count: number;
  readonly #match: TermMatcher;
  /** Indexed by rank: the term, and the indexes of the query terms that it is a form of. */
  readonly #terms = new IdMap<{ readonly term: string; readonly indexes: readonly number[] }>();

  constructor({ match, lexical: { ids }, segment }: SegmentQuery) {
    this.#count = ids.length;
    for (const id of ids.flat()) {
      const indexes = ids.flatMap((ofTerm, i) => (ofTerm.includes(id) ? [i] : []));
      this.#terms.set(segment.rankOf(id), { term: segment.lexicon.termOf(id), indexes });
    }
    this.#match = match;
  }

  inTitle(reader: VarintReader): readonly boolean[] {
    const found = new Array<boolean>(this.#count).fill(false);
    for (let left = reader.next(); left > 0; left--) {
      for (const i of this.#indexesOf(reader.next())) found[i] = true;
    }
    return found;
  }

  termMatches(reader: VarintReader, length: number): TermMatches {
    const found: Pick<Term, 'term' | 'position'>[] = [];
    let position = -1;
    for (let left = length; left > 0; left--) {
      const packed = reader.next();
      if ((packed & 1) === 0) position++;
      const term = this.#terms.get(packed >>> 1)?.term;
      if (term !== undefined) found.push({ term, position });
    }
    return this.#match(found);
  }

  labelLengths(reader: VarintReader): readonly number[] {
    const lengths = new Array<number>(this.#count).fill(0);
    for (let left = reader.next(); left > 0; left--) {
      const label = reader.next();
      for (const i of this.#indexesOf(label >>> 4)) lengths[i] = Math.min(lengths[i] || Infinity, label & 15);
    }
    return lengths;
  }

  #indexesOf(rank: number): readonly number[] {
    return this.#terms.get(rank)?.indexes ?? [];
  }
}
