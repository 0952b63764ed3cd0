import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../../lambdas/domain/errors.ts';
import type { PageFilter } from '../../../lambdas/domain/ports/index-reader.ts';
import { type Filters, pageFilters } from '../../../lambdas/domain/search/page-filters.ts';
import type { MetadataField } from '../../../lambdas/domain/sites/metadata-schema.ts';
import type { SiteRecord } from '../../../lambdas/domain/sites/site.ts';
import { factsOf } from '../../../lambdas/text/fields/facts.ts';

const SCHEMA: readonly MetadataField[] = [
  { name: 'colour', type: 'string' },
  { name: 'price', type: 'number' },
  { name: 'released', type: 'date' },
  { name: 'price_old', type: 'number' },
];

function siteWith(metadataSchema: readonly MetadataField[], domain?: string): SiteRecord {
  const settings = { metadataSchema, baseUrl: 'https://a.example/docs/', ...(domain !== undefined && { domain }) };
  return { settings, state: {} } as SiteRecord;
}
const SITE = siteWith(SCHEMA);
const NO_SCHEMA = siteWith([]);

/** Whether a page with these facts and dates passes, compared as the port promises. */
function passes(
  filters: readonly PageFilter[],
  page: { readonly facts?: readonly string[]; readonly publishedAt?: string },
): boolean {
  return filters.every((filter) => {
    if (filter.field === 'any') return filter.of.some((part) => passes([part], page));
    if (filter.field === 'url') return false;
    const values = filter.field === 'publishedAt' ? [page.publishedAt ?? ''] : (page.facts ?? []);
    if ('anyOf' in filter) return filter.anyOf.some((wanted) => values.includes(wanted));
    return values.some((value) => value !== '' && filter.from <= value && value <= filter.to);
  });
}
const holds = (wanted: Filters[string], name: string, value: unknown): boolean =>
  passes(pageFilters({ [name]: wanted }, SITE), { facts: factsOf(name, value) });
const issueOf = (filters: Filters): unknown => {
  try {
    return pageFilters(filters, SITE);
  } catch (error) {
    return error instanceof AppError ? [error.code, error.issues?.map(({ path }) => path)] : error;
  }
};

describe('a filter', () => {
  it('is absent without conditions', () => {
    expect(pageFilters(undefined, SITE)).toEqual([]);
    expect(pageFilters({}, SITE)).toEqual([]);
  });

  it('compares tags exactly and languages without their region', () => {
    expect(pageFilters({ tags: ['a', 1, true], language: ['de', 'pt-BR', 'EN', '?'] }, NO_SCHEMA)).toEqual([
      { field: 'tags', anyOf: ['a', '1', 'true'] },
      { field: 'language', anyOf: ['de', 'pt', 'en', '?'] },
    ]);
  });

  it.each([
    ['red', 'colour', 'red', true],
    ['red', 'colour', 'Red', false],
    [['blue', 'red'], 'colour', 'red', true],
    [['blue', 'green'], 'colour', ['white', 'green'], true],
    ['7', 'colour', 7, true],
    [7, 'price', '7.0', true],
    ['7', 'price', 7, true],
    [7, 'price', 70, false],
    [[1, 2], 'price', 2, true],
    [{ gte: 5, lte: 9 }, 'price', 9, true],
    [{ gte: 5, lte: 9 }, 'price', 10, false],
    [{ gte: 5 }, 'price', 1e9, true],
    [{ gte: 5 }, 'price', 'dear', false],
    [{ lte: -1 }, 'price', -2, true],
    [{ lte: -1 }, 'price', 0, false],
    [{ lte: 5 }, 'price', 'cheap', false],
    ['2024-05-06', 'released', '2024-05-06', true],
    ['2024-05-06', 'released', '2024-05-06T18:30:00Z', true],
    ['2024-05-06', 'released', '2024-05-07', false],
    ['2024-05-06T18:30:00Z', 'released', '2024-05-06', false],
    [['2024-05-05', '2024-05-06'], 'released', '2024-05-06T18:30:00Z', true],
    [['2024-05-05', '2024-05-06'], 'released', '2024-05-07', false],
    [{ lte: '2024-05-06' }, 'released', '2024-05-06T23:59:59Z', true],
    [{ lte: '2024-05-06' }, 'released', '2024-05-07', false],
    [{ gte: '2024-05-06' }, 'released', '2024-05-06', true],
    [{ gte: '2024-05-06T12:00:00Z' }, 'released', '2024-05-06', false],
    ['\u{1f600}'.repeat(300), 'colour', '\u{1f600}'.repeat(300), true],
    [`x${'\u{1f600}'.repeat(300)}`, 'colour', `x${'\u{1f600}'.repeat(300)}`, true],
  ] as const)('%j on %s admits %j: %j', (wanted, name, value, admitted) => {
    expect(holds(wanted as Filters[string], name, value)).toBe(admitted);
  });

  it('by a day on publishedAt matches all times of that day', () => {
    const published = pageFilters({ publishedAt: '2024-05-06' }, SITE);
    expect(passes(published, { publishedAt: '2024-05-06T00:00:00.000Z' })).toBe(true);
    expect(passes(published, { publishedAt: '2024-05-06T23:59:59.999Z' })).toBe(true);
    expect(passes(published, { publishedAt: '2024-05-07T00:00:00.000Z' })).toBe(false);
  });

  it('by several days on publishedAt matches all times of each', () => {
    const published = pageFilters({ publishedAt: ['2024-05-06', '2024-05-08'] }, SITE);
    expect(passes(published, { publishedAt: '2024-05-08T12:00:00.000Z' })).toBe(true);
    expect(passes(published, { publishedAt: '2024-05-07T12:00:00.000Z' })).toBe(false);
  });

  it('on the URL is a prefix of the path, or of the URL as it is stored or shown', () => {
    const prefixes = (prefix: string, site = SITE) => pageFilters({ url: { prefix } }, site);
    expect(prefixes('/docs/')).toEqual([{ field: 'url', urlPrefixes: [], pathPrefixes: ['/docs/'] }]);
    expect(prefixes('https://b.example/x')).toEqual([
      { field: 'url', urlPrefixes: ['https://b.example/x'], pathPrefixes: [] },
    ]);
    expect(prefixes('https://b.example/x', siteWith([], 'b.example'))).toEqual([
      { field: 'url', urlPrefixes: ['https://b.example/x', 'https://a.example/x'], pathPrefixes: [] },
    ]);
  });

  it('on publishedAt may have one bound or both', () => {
    const admits = (range: Filters[string], publishedAt: string) =>
      passes(pageFilters({ publishedAt: range }, NO_SCHEMA), { publishedAt });
    expect(admits({ gte: '2024-01-01' }, '2024-01-01T00:00:00.000Z')).toBe(true);
    expect(admits({ gte: '2024-01-01' }, '2023-12-31T23:59:59.999Z')).toBe(false);
    expect(admits({ lte: '2024-01-01' }, '2024-01-01T12:00:00.000Z')).toBe(true);
    expect(admits({ gte: '2024-01-01', lte: '2024-01-02T06:00:00+06:00' }, '2024-01-02T00:00:00.000Z')).toBe(true);
  });

  it('on a number matches exactly the numbers within the bounds', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, number, (gte, lte, value) => {
        expect(holds({ gte, lte }, 'price', value)).toBe(gte <= value && value <= lte);
      }),
    );
  });

  it('on one field ignores another field whose name begins the same', () => {
    const filters = pageFilters({ price: { gte: 0 } }, SITE);
    expect(passes(filters, { facts: factsOf('price_old', 5) })).toBe(false);
  });

  it.each([
    [{ size: 1 }, ['unknown_filter_field', undefined]],
    [{ constructor: 1 }, ['unknown_filter_field', undefined]],
    [{ siteId: 'x' }, ['unknown_filter_field', undefined]],
    [{ colour: { gte: 1 } }, ['invalid_request', ['filters.colour']]],
    [{ tags: { gte: 1 } }, ['invalid_request', ['filters.tags']]],
    [{ price: 'dear' }, ['invalid_request', ['filters.price']]],
    [{ price: ' ' }, ['invalid_request', ['filters.price']]],
    [{ price: '' }, ['invalid_request', ['filters.price']]],
    [{ price: true }, ['invalid_request', ['filters.price']]],
    [{ price: { gte: 'dear' } }, ['invalid_request', ['filters.price']]],
    [{ released: 'soon' }, ['invalid_request', ['filters.released']]],
    [{ released: '2024-02-30' }, ['invalid_request', ['filters.released']]],
    [{ released: 5 }, ['invalid_request', ['filters.released']]],
    [{ publishedAt: ['2024-01-01', 'soon'] }, ['invalid_request', ['filters.publishedAt']]],
    [{ publishedAt: { prefix: '2024' } }, ['invalid_request', ['filters.publishedAt']]],
    [{ url: '/docs/' }, ['invalid_request', ['filters.url']]],
    [{ url: { gte: '/docs/' } }, ['invalid_request', ['filters.url']]],
    [{ colour: { prefix: 'r' } }, ['invalid_request', ['filters.colour']]],
  ] as const)('%j is refused', (filters, issue) => expect(issueOf(filters as Filters)).toEqual(issue));
});
