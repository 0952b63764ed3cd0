import * as z from 'zod';
import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { termMatcher } from '../../../core/language/term-matches.ts';
import {
  type CandidateChunk,
  MAX_TERM_FREQUENCY,
  type PageCandidate,
  type SiteScope,
} from '../../../core/ports/page-index.ts';
import { parseAnswer } from './multi-search.ts';
import { NO_COSINE } from './scripts.ts';
import { labelLength, unpackOccurrences } from './term-occurrences.ts';

const Strings = z.array(z.string()).default([]);
const Numbers = z.array(z.number());

const Hit = z.object({
  fields: z.object({
    urlHash: z.tuple([z.string()]),
    url: z.tuple([z.string()]).default(['']),
    language: z.tuple([z.string()]).optional(),
    titleLength: z.tuple([z.number()]),
    tags: Strings,
    facts: Strings,
    block: z.tuple([z.enum(['table', 'hash', 'model'])]).default(['table']),
    title: Numbers.default([]),
  }),
  inner_hits: z.object({
    chunks: z.object({ hits: z.object({ hits: z.array(z.object({ fields: z.object({ chunk: Numbers }) })) }) }),
  }),
});
type Hit = z.infer<typeof Hit>;

const Hits = z.object({ hits: z.object({ hits: z.array(Hit) }) });

export const hitsOf = (answer: unknown): readonly Hit[] => parseAnswer(Hits, answer).hits.hits;

export type HitsQuery = {
  readonly terms: readonly QueryTerm[];
  /** The forms of all terms, in the order of the hashes in the request. */
  readonly forms: readonly string[];
  /** Length of the query's vector: the port promises dot products, and a page's vector has length 1. */
  readonly vectorLength: number;
};

/** Merges the hits of all searches: one candidate per page, with all of its chunks that were found. */
export function pageCandidates(
  hits: readonly Hit[],
  { siteId, generation }: SiteScope,
  query: HitsQuery,
): readonly PageCandidate[] {
  const readChunk = chunkReader(query);
  const byPage = Map.groupBy(hits, ({ fields }) => fields.urlHash[0]);
  return [...byPage.values()].flatMap((same) => {
    const chunks = same.flatMap((hit) => hit.inner_hits.chunks.hits.hits).map((hit) => readChunk(hit.fields.chunk));
    const byOrd = new Map(chunks.map((chunk) => [chunk.ord, chunk]));
    const [first] = same;
    return first ? [{ siteId, generation, ...pageFeatures(first, query), chunks: [...byOrd.values()] }] : [];
  });
}

function pageFeatures({ fields }: Hit, query: HitsQuery): Omit<PageCandidate, 'siteId' | 'generation' | 'chunks'> {
  const titleTerms = new Set(query.forms.filter((_, i) => fields.title[i] === 1));
  return {
    ...{
      urlHash: fields.urlHash[0],
      url: fields.url[0],
      language: fields.language?.[0],
      tags: fields.tags,
      facts: fields.facts,
    },
    ...{ titleLength: fields.titleLength[0], block: fields.block[0] },
    inTitle: query.terms.map(({ forms }) => forms.some((form) => titleTerms.has(form))),
  };
}

function chunkReader({ terms, forms, vectorLength }: HitsQuery): (numbers: readonly number[]) => CandidateChunk {
  const matches = termMatcher(terms);
  return ([ord = 0, length = 0, linkShare = 0, cosine = NO_COSINE, ...numbers]) => {
    const found = occurrencesOf(forms, numbers);
    const labels = new Map(found.map(({ term, occurrences }) => [term, labelLength(occurrences)]));
    const { frequencies, phrase } = matches(unpackOccurrences(found));
    return {
      ...{ ord, length, phrase, linkShare: linkShare / 100 },
      frequencies: frequencies.map((frequency) => Math.min(frequency, MAX_TERM_FREQUENCY)),
      labelLengths: terms.map((term) => shortest(term.forms.map((form) => labels.get(form) ?? 0))),
      ...(cosine !== NO_COSINE && { cosine: cosine * vectorLength }),
    };
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
