import type { search as routes } from '../search.ts';
import { type Example, IDS } from './example.ts';

const { siteId, groupId } = IDS;
const query = 'opening hours';
const filters = { language: 'en', publishedAt: { gte: '2026-01-01' } };
const inUrl = { q: query, limit: 3, filters: JSON.stringify(filters), facets: ['tags'] };

const result = {
  url: 'https://www.example.com/visit',
  title: 'Visit us',
  snippet: 'Our opening hours are 9 to 17 from Monday to Friday.',
  highlights: [
    [4, 11],
    [12, 17],
  ],
  section: { heading: 'Opening hours', anchor: 'hours' },
  score: 0.86,
  metadata: { summary: 'Address and opening hours', tags: ['shop'], crawledAt: '2026-11-23T09:00:00.000Z' },
};
const facets = [
  { name: 'tags', label: 'Tags', type: 'string', values: [{ value: 'shop', count: 3 }] },
  { name: 'price', label: 'Price', type: 'number', min: 4.5, max: 120 },
];
const found = { query, results: [result], totalResults: 1, timingMs: 4 };
const counted = { facets: facets.slice(0, 1) };
const foundInGroup = { ...found, groupId, results: [{ ...result, siteId, siteName: 'Example' }] };
const page = { text: 'Visit us', type: 'page', url: result.url };

export const search = {
  'search-site': { query: inUrl, response: { ...found, ...counted } },
  'search-site-by-post': {
    body: { query, limit: 3, filters, facets: ['tags'] },
    response: { ...found, ...counted },
  },
  'get-site-facets': { query: { q: 'lantern' }, response: { facets } },
  'suggest-in-site': {
    query: { q: 'open' },
    response: { suggestions: [page, { text: 'opening hours in december', type: 'query' }] },
  },
  'record-event': {
    body: { type: 'click', query, url: result.url, position: 1 },
    response: { success: true },
  },
  'search-group': { query: inUrl, response: { ...foundInGroup, ...counted } },
  'search-group-by-post': { body: { query, filters: { siteId } }, response: foundInGroup },
  'get-group-facets': { query: { q: 'lantern' }, response: { facets } },
  'suggest-in-group': { query: { q: 'vis' }, response: { suggestions: [page] } },
} satisfies Record<keyof typeof routes, Example>;
