import * as z from 'zod';
import { Count } from './answers.ts';

const facet = { name: z.string(), label: z.string() };

/** What the values of a field are among the pages that count; a range for numbers and dates. */
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
  .meta({ id: 'Facet' });
export const Facets = z.object({ facets: z.array(Facet) });

export const SearchResult = z
  .object({
    url: z.string(),
    title: z.string(),
    snippet: z.string(),
    highlights: z
      .array(z.tuple([Count, Count]))
      .describe('where the snippet has words of the query: [start, end) in UTF-16 code units'),
    score: z.number().min(0).max(1),
    metadata: z
      .looseObject({
        summary: z.string().optional(),
        tags: z.array(z.string()),
        publishedAt: z.string().optional().describe('ISO 8601'),
        crawledAt: z.string().describe('ISO 8601: when last indexed'),
      })
      .describe('and the custom fields of the page'),
  })
  .meta({ id: 'SearchResult' });

export const SearchResponse = z
  .object({
    query: z.string(),
    results: z.array(SearchResult),
    totalResults: Count.describe('pages that passed, among those that were looked at'),
    totalIsLowerBound: z.boolean().optional().describe('true when more pages than were looked at may pass'),
    facets: z.array(Facet).optional().describe('when asked for'),
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
      z.object({ text: z.string(), type: z.enum(['page', 'query']), url: z.string().optional().describe('of a page') }),
    ),
  })
  .meta({ id: 'Suggestions' });
