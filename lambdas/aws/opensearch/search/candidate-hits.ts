import * as z from 'zod';
import type { QueryTerm } from '../../../domain/ports/index-reader.ts';
import { type CandidateChunk, MAX_TERM_FREQUENCY, type PageCandidate } from '../../../domain/ports/index-reader.ts';
import type { SiteScope } from '../../../domain/ports/page-index.ts';
import { VECTOR_BLOCKS } from '../../../text/words/cosine-scale.ts';
import { termMatcher } from '../../../text/words/term-matches.ts';
import { documentId } from '../index/page-document.ts';
import { isInTitle, labelLength, occurrenceKey, unpackOccurrences } from '../index/term-occurrences.ts';
import { parseAnswer } from './multi-search.ts';
import { NO_COSINE } from './scripts.ts';

const Strings = z.array(z.string());
const Numbers = z.array(z.number());

const Page = z.object({
  /** The score by which the search found the page. */
  score: z.number(),
  urlHash: z.string(),
  url: z.string().default(''),
  language: z.string().optional(),
  titleLength: z.number(),
  tags: Strings,
  facts: Strings,
  block: z.enum(['table', 'hash', 'model']).default('table'),
});
const Chunks = z.object({ page: z.number(), chunks: z.array(Numbers) });
type Page = z.infer<typeof Page>;
type Chunks = z.infer<typeof Chunks>;

/** Accepts null, which OpenSearch answers if no shard has pages. */
const found = <T extends z.ZodType>(item: T) =>
  z.object({ value: z.array(item).nullish() }).transform(({ value }) => value ?? []);

const Best = z.object({
  aggregations: z.object({ best: z.object({ pages: found(Page), chunks: z.object({ best: found(Chunks) }) }) }),
});

/** The best pages of a search, with the features of their chunks. */
export type BestPages = { readonly pages: readonly Page[]; readonly chunks: readonly Chunks[] };

/** Returns the best `limit` pages of all shards. Each shard answers `limit` pages. */
export function bestOf(answer: unknown, limit: number): BestPages {
  const { pages, chunks } = parseAnswer(Best, answer).aggregations.best;
  return { pages: pages.sort((a, b) => b.score - a.score).slice(0, limit), chunks: chunks.best };
}

export type HitsQuery = {
  readonly terms: readonly QueryTerm[];
  /** All forms of all terms, in the order of the hashes in the request. */
  readonly forms: readonly string[];
  /** Length of the query's vector: the port promises dot products, and a page's vector has length 1. */
  readonly vectorLength: number;
};

/** Merges the results of all searches into one candidate per page, with all of its chunks that were found. */
export function pageCandidates(
  found: readonly BestPages[],
  { siteId, generation }: SiteScope,
  query: HitsQuery,
): readonly PageCandidate[] {
  const readChunk = chunkReader(query);
  const ofPages = Map.groupBy(
    found.flatMap(({ chunks }) => chunks),
    ({ page }) => page,
  );
  const pages = new Map(found.flatMap(({ pages }) => pages).map((page) => [page.urlHash, page]));
  return Array.from(pages.values(), ({ score: _, ...page }) => {
    const read = ofPages.get(occurrenceKey(documentId({ siteId, generation, urlHash: page.urlHash }))) ?? [];
    const byOrd = new Map(read.flatMap(({ chunks }) => chunks).map((chunk) => [chunk[0], chunk]));
    const chunks = Array.from(byOrd.values(), readChunk);
    // A chunk's terms include those of the title.
    const inTitle = chunks[0]?.inTitle ?? query.terms.map(() => false);
    return { siteId, generation, ...page, inTitle, chunks: chunks.map(({ chunk }) => chunk) };
  });
}

type ReadChunk = { readonly chunk: CandidateChunk } & Pick<PageCandidate, 'inTitle'>;

function chunkReader({ terms, forms, vectorLength }: HitsQuery): (numbers: readonly number[]) => ReadChunk {
  const matches = termMatcher(terms);
  return ([ord = 0, length = 0, linkShare = 0, cosine = NO_COSINE, blockIndex = -1, ...numbers]) => {
    const block = VECTOR_BLOCKS[blockIndex];
    const found = occurrencesOf(forms, numbers);
    const labels = new Map(found.map(({ term, occurrences }) => [term, labelLength(occurrences)]));
    const titled = new Set(found.flatMap(({ term, occurrences }) => (isInTitle(occurrences) ? [term] : [])));
    const { frequencies, phrase } = matches(unpackOccurrences(found));
    const chunk = {
      ord,
      length,
      phrase,
      linkShare: linkShare / 100,
      frequencies: frequencies.map((frequency) => Math.min(frequency, MAX_TERM_FREQUENCY)),
      labelLengths: terms.map((term) => shortest(term.forms.map((form) => labels.get(form) ?? 0))),
      ...(block && { block }),
      ...(cosine !== NO_COSINE && { cosine: cosine * vectorLength }),
    };
    return { chunk, inTitle: terms.map((term) => term.forms.some((form) => titled.has(form))) };
  };
}

function occurrencesOf(forms: readonly string[], numbers: readonly number[]) {
  let at = 0;
  return forms.map((term) => {
    const count = Math.min(numbers[at] ?? 0, MAX_TERM_FREQUENCY);
    const occurrences = numbers.slice(at + 1, at + 1 + count);
    at += 1 + count;
    return { term, occurrences };
  });
}

function shortest(lengths: readonly number[]): number {
  const labels = lengths.filter((length) => length > 0);
  return labels.length > 0 ? Math.min(...labels) : 0;
}
