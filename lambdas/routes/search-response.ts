import * as z from 'zod';
import type { Facet as FieldFacet } from '../core/search/facet-counts.ts';
import { Count } from './response-fields.ts';

const facet = { name: z.string(), label: z.string() };

/** The values of a field with their counts, or the range of a number or date. */
export const Facet = z
  .discriminatedUnion('type', [
    z.object({
      ...facet,
      type: z.literal('string'),
      values: z.array(z.object({ value: z.string(), count: Count })),
    }),
    z.object({ ...facet, type: z.literal('number'), min: z.number(), max: z.number() }),
    z.object({ ...facet, type: z.literal('date'), min: z.string(), max: z.string() }),
  ])
  .meta({ id: 'Facet' }) satisfies z.ZodType<FieldFacet>;
export const Facets = z.object({ facets: z.array(Facet) });

const Snippet = {
  snippet: z.string(),
  highlights: z
    .array(z.tuple([Count, Count]))
    .describe('matches of query words in the snippet: [start, end) in UTF-16 code units'),
};
const Section = { heading: z.string(), anchor: z.string().describe('the fragment of a URL, not encoded') };

export const SearchResult = z
  .object({
    url: z.string(),
    title: z.string(),
    ...Snippet,
    section: z.object(Section).optional().describe('of the snippet: the nearest heading above it with an anchor'),
    sections: z
      .array(z.object({ ...Section, ...Snippet }))
      .optional()
      .describe('further passages of the page, if requested'),
    score: z.number().min(0).max(1),
    metadata: z
      .looseObject({
        summary: z.string().optional(),
        tags: z.array(z.string()),
        publishedAt: z.string().optional().describe('ISO 8601'),
        crawledAt: z.string().describe('ISO 8601, when last indexed'),
      })
      .describe('with the custom fields of the page'),
  })
  .meta({ id: 'SearchResult' });

export const SearchResponse = z
  .object({
    query: z.string(),
    results: z.array(SearchResult),
    totalResults: Count.describe('matching pages; exact up to 100'),
    totalIsLowerBound: z.boolean().optional().describe('true if more than 100 pages match'),
    corrections: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .optional()
      .describe('words that were searched in another spelling; `exact` searches them as typed'),
    phraseDropped: z.boolean().optional().describe('true if no page has the quoted phrase, so it was ignored'),
    facets: z.array(Facet).optional().describe('present if requested'),
    timingMs: Count,
  })
  .meta({ id: 'SearchResponse' });
export type SearchResponse = z.infer<typeof SearchResponse>;

const GroupSearchResult = SearchResult.extend({ siteId: z.uuid(), siteName: z.string() }).meta({
  id: 'GroupSearchResult',
});
export const GroupSearchResponse = SearchResponse.extend({
  groupId: z.uuid(),
  results: z.array(GroupSearchResult),
}).meta({ id: 'GroupSearchResponse' });

export const Suggestions = z
  .object({
    suggestions: z.array(
      z.object({ text: z.string(), type: z.enum(['page', 'query']), url: z.string().optional().describe('for pages') }),
    ),
  })
  .meta({ id: 'Suggestions' });
