import * as z from 'zod';
import type { Facet as FieldFacet } from '../domain/search/results/facet-counts.ts';
import { Count } from './response-fields.ts';

const facet = {
  name: z.string().describe('the name of the field'),
  label: z.string().describe('its name for people'),
};
const FACET_TYPE = 'the type of the field';
const VALUES = 'the values with the number of pages, most frequent first';

const StringFacet = z
  .object({
    ...facet,
    type: z.literal('string').describe(FACET_TYPE),
    values: z
      .array(
        z
          .object({
            value: z.string().describe('a value of the field'),
            count: Count.describe('pages that have it'),
          })
          .meta({ id: 'FacetValue' }),
      )
      .describe(VALUES),
  })
  .meta({ id: 'StringFacet' });

const NumberFacet = z
  .object({
    ...facet,
    type: z.literal('number').describe(FACET_TYPE),
    min: z.number().describe('the least value of a page'),
    max: z.number().describe('the greatest value of a page'),
  })
  .meta({ id: 'NumberFacet' });

const DateFacet = z
  .object({
    ...facet,
    type: z.literal('date').describe(FACET_TYPE),
    min: z.string().describe('the earliest date of a page, ISO 8601'),
    max: z.string().describe('the latest date of a page, ISO 8601'),
  })
  .meta({ id: 'DateFacet' });

/** The values of a field with their counts, or the range of a numeric or date field. */
export const Facet = z
  .discriminatedUnion('type', [StringFacet, NumberFacet, DateFacet])
  .meta({ id: 'Facet' }) satisfies z.ZodType<FieldFacet>;
export const FacetsResponse = z
  .object({ facets: z.array(Facet).describe('one entry for each field with values') })
  .meta({ id: 'FacetsResponse' });

const Snippet = {
  snippet: z.string().describe('the part of the page that fits best, as text'),
  highlights: z
    .array(z.tuple([Count, Count]))
    .describe('matches of query words in the snippet: [start, end) in UTF-16 code units'),
};
const heading = {
  heading: z.string().describe('the text of the heading'),
  anchor: z.string().describe('the fragment of a URL, not encoded'),
};
const Section = z.object(heading).meta({ id: 'Section' });
const Passage = z.object({ ...heading, ...Snippet }).meta({ id: 'Passage' });
export const Correction = z
  .object({ from: z.string().describe('as typed'), to: z.string().describe('as searched') })
  .meta({ id: 'Correction' });

export const SearchResult = z
  .object({
    url: z.string().describe('the address of the page, shown under the `domain` of the site'),
    title: z.string().describe('the title of the page'),
    ...Snippet,
    section: Section.optional().describe('of the snippet: the nearest heading above it with an anchor'),
    sections: z.array(Passage).optional().describe('further passages of the page, if requested'),
    score: z
      .number()
      .min(0)
      .max(1)
      .describe('0 to 1, comparable between queries: 0.3 is probably about it, an exact title is near 1'),
    metadata: z
      .looseObject({
        summary: z.string().optional().describe('in a sentence or two'),
        tags: z.array(z.string()).describe('keywords'),
        publishedAt: z.string().optional().describe('ISO 8601, if the page names it'),
        crawledAt: z.string().describe('ISO 8601, when last indexed'),
      })
      .meta({ id: 'ResultMetadata' })
      .describe('with the custom fields of the page'),
  })
  .meta({ id: 'SearchResult' });

const CLOSEST = 'if no page reaches minScore: at most three pages below it, best first; absent if none is near';

export const SearchResponse = z
  .object({
    query: z.string().describe('as it was asked'),
    results: z.array(SearchResult).describe('best first'),
    totalResults: Count.describe('matching pages; exact up to 100'),
    totalIsLowerBound: z.boolean().optional().describe('true if more than 100 pages match'),
    corrections: z
      .array(Correction)
      .optional()
      .describe('words that were searched in another spelling; `exact` searches them as typed'),
    phraseDropped: z.boolean().optional().describe('true if no page has the quoted phrase, so it was ignored'),
    facets: z.array(Facet).optional().describe('present if requested'),
    closest: z.array(SearchResult).optional().describe(CLOSEST),
    timingMs: Count.describe('how long the search took, in milliseconds'),
  })
  .meta({ id: 'SearchResponse' });
export type SearchResponse = z.infer<typeof SearchResponse>;

const GroupSearchResult = SearchResult.extend({
  siteId: z.uuid().describe('the site of the page'),
  siteName: z.string().describe('its name'),
}).meta({
  id: 'GroupSearchResult',
});
export const GroupSearchResponse = SearchResponse.extend({
  groupId: z.uuid().describe('the group that was searched'),
  results: z.array(GroupSearchResult).describe('best first, in one ranking'),
  closest: z.array(GroupSearchResult).optional().describe(CLOSEST),
}).meta({ id: 'GroupSearchResponse' });

/** Not called Suggestions, because a field has this name and generators make a class of it. */
export const SuggestResponse = z
  .object({
    suggestions: z
      .array(
        z
          .object({
            text: z.string().describe('the title of the page, or the query'),
            type: z.enum(['page', 'query']).describe('a page, or a frequent query'),
            url: z.string().optional().describe('the address of the page; absent for queries'),
          })
          .meta({ id: 'Suggestion' }),
      )
      .describe('best first'),
  })
  .meta({ id: 'SuggestResponse' });
