import * as z from 'zod';
import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { termMatcher } from '../../../core/language/term-matches.ts';
import {
  type CandidateChunk,
  MAX_TERM_FREQUENCY,
  type PageCandidate,
  type SiteScope,
} from '../../../core/ports/page-index.ts';
import { parsed } from './engine-search.ts';
import { NO_COSINE } from './scripts.ts';
import { labelLength, unpackPlaces } from './term-places.ts';

const Strings = z.array(z.string()).default([]);
const Numbers = z.array(z.number());

const Hit = z.object({
  fields: z.object({
    urlHash: z.tuple([z.string()]),
    url: z.tuple([z.string()]).default(['']),
    titleLength: z.tuple([z.number()]),
    tags: Strings,
    facts: Strings,
    block: z.tuple([z.enum(['table', 'hash', 'model'])]).default(['table']),
    page: Numbers.default([]),
  }),
  inner_hits: z.object({
    chunks: z.object({ hits: z.object({ hits: z.array(z.object({ fields: z.object({ chunk: Numbers }) })) }) }),
  }),
});
type Hit = z.infer<typeof Hit>;

const Hits = z.object({ hits: z.object({ hits: z.array(Hit) }) });

export const hitsOf = (answer: unknown): readonly Hit[] => parsed(Hits, answer).hits.hits;

/** A query as a site knows its words, and what turns the engine's cosines into the products that the port promises. */
export type HitsQuery = {
  readonly terms: readonly QueryTerm[];
  /** Every form of the terms, in the order of the hashes that the engine was asked for. */
  readonly forms: readonly string[];
  /** A page's vector has length 1, a query's may have another. */
  readonly vectorLength: number;
};

/** One candidate for each page, however many searches have found it, with all of its chunks that were found. */
export function pageCandidates(
  hits: readonly Hit[],
  { siteId, generation }: SiteScope,
  query: HitsQuery,
): readonly PageCandidate[] {
  const chunkEvidence = chunkReader(query);
  const byPage = Map.groupBy(hits, ({ fields }) => fields.urlHash[0]);
  return [...byPage.values()].flatMap((same) => {
    const chunks = same.flatMap((hit) => hit.inner_hits.chunks.hits.hits).map((hit) => chunkEvidence(hit.fields.chunk));
    const byOrd = new Map(chunks.map((chunk) => [chunk.ord, chunk]));
    const [first] = same;
    return first ? [{ siteId, generation, ...pageEvidence(first, query), chunks: [...byOrd.values()] }] : [];
  });
}

function pageEvidence({ fields }: Hit, query: HitsQuery): Omit<PageCandidate, 'siteId' | 'generation' | 'chunks'> {
  const had = new Map(query.forms.map((form, place) => [form, fields.page[place] ?? 0]));
  const has = (least: number) => query.terms.map(({ forms }) => forms.some((form) => (had.get(form) ?? 0) >= least));
  return {
    ...{ urlHash: fields.urlHash[0], url: fields.url[0], tags: fields.tags, facts: fields.facts },
    ...{ titleLength: fields.titleLength[0], block: fields.block[0] },
    inTitle: has(2),
    inPage: has(1),
  };
}

/** Reads ord, length, share of links and cosine; then for each form how often it occurs, and as many places (scripts.ts). */
function chunkReader({ terms, forms, vectorLength }: HitsQuery): (numbers: readonly number[]) => CandidateChunk {
  const matches = termMatcher(terms);
  return ([ord = 0, length = 0, linkShare = 0, cosine = NO_COSINE, ...counted]) => {
    const found = placesOf(forms, counted);
    const labels = new Map(found.map(({ term, places }) => [term, labelLength(places)]));
    const { frequencies, phrase } = matches(unpackPlaces(found));
    return {
      ...{ ord, length, phrase, linkShare: linkShare / 100 },
      frequencies: frequencies.map((frequency) => Math.min(frequency, MAX_TERM_FREQUENCY)),
      labelLengths: terms.map((term) => leastOf(term.forms.map((form) => labels.get(form) ?? 0))),
      ...(cosine !== NO_COSINE && { cosine: cosine * vectorLength }),
    };
  };
}

function placesOf(forms: readonly string[], counted: readonly number[]) {
  let at = 0;
  return forms.map((term) => {
    const count = Math.min(counted[at] ?? 0, MAX_TERM_FREQUENCY);
    const places = counted.slice(at + 1, at + 1 + count);
    at += 1 + count;
    return { term, places };
  });
}

/** The least that is more than nothing. */
function leastOf(lengths: readonly number[]): number {
  const some = lengths.filter((length) => length > 0);
  return some.length > 0 ? Math.min(...some) : 0;
}
