import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../../lambdas/domain/errors.ts';
import { facetsAmong, facetsOf } from '../../../../lambdas/domain/search/results/facet-counts.ts';
import type { MetadataField } from '../../../../lambdas/domain/sites/metadata-schema.ts';
import { factsOf } from '../../../../lambdas/text/fields/facts.ts';
import { processorTime } from '../../../support/processor-time.ts';

const SITE = 'site-a';

const SCHEMA: readonly MetadataField[] = [
  { name: 'colour', type: 'string', label: 'Colour', facet: true },
  { name: 'price', type: 'number', facet: true },
  { name: 'released', type: 'date', facet: true },
  { name: 'secret', type: 'string', facet: false },
  { name: 'hidden', type: 'string' },
];

const SITES = [{ siteId: SITE, metadataSchema: SCHEMA }];

type Page = Parameters<typeof facetsAmong>[1][number];
const facetCounts = (names: readonly string[], pages: readonly Page[], sites: Parameters<typeof facetsOf>[0]) =>
  facetsAmong(facetsOf(sites, names), pages);

const page = (metadata: Readonly<Record<string, unknown>>, tags: readonly string[] = []) => ({
  siteId: SITE,
  tags,
  facts: Object.entries(metadata).flatMap(([name, value]) => factsOf(name, value)),
});

describe('the facets of the pages that passed', () => {
  it('count a value once for each page that has it, the most frequent first, then by value', () => {
    const pages = [
      page({ colour: 'red' }, ['b', 'b']),
      page({ colour: ['blue', 'red'] }, ['a']),
      page({ colour: 'green', colours: 'x' }, ['b', 'a', 'c']),
      page({}),
    ];
    expect(facetCounts(['colour', 'tags'], pages, SITES)).toEqual([
      {
        name: 'colour',
        label: 'Colour',
        type: 'string',
        values: [
          { value: 'red', count: 2 },
          { value: 'blue', count: 1 },
          { value: 'green', count: 1 },
        ],
      },
      {
        name: 'tags',
        label: 'Tags',
        type: 'string',
        values: [
          { value: 'a', count: 2 },
          { value: 'b', count: 2 },
          { value: 'c', count: 1 },
        ],
      },
    ]);
  });

  it('of many fields take about as long as one', () => {
    const names = Array.from({ length: 50 }, (_, field) => `field${field}`);
    const values = Array.from({ length: 9 }, (_, value) => `value ${value}`);
    const sites = [
      { siteId: SITE, metadataSchema: names.map((name) => ({ name, type: 'string', facet: true }) as const) },
    ];
    const pages = Array.from({ length: 300 }, () => page(Object.fromEntries(names.map((name) => [name, values]))));
    const timeOf = (counted: readonly string[]): number => {
      const time = processorTime();
      for (const { name } of facetCounts(counted, pages, sites)) expect(counted).toContain(name);
      return time();
    };
    timeOf(names);
    expect(timeOf(names)).toBeLessThan(12 * Math.max(5, timeOf(names.slice(0, 1))));
  });

  it('count a page once if it has a value twice', () => {
    expect(facetCounts(['colour'], [page({ colour: ['red', 'red'] })], SITES)).toMatchObject([
      { values: [{ value: 'red', count: 1 }] },
    ]);
  });

  it('are ranges for numbers and dates, without invalid values', () => {
    const pages = [page({ price: 10, released: '2024-05-06' }), page({ price: ['-2.5', 'dear'] }), page({ price: 9 })];
    expect(facetCounts(['price', 'released'], pages, SITES)).toEqual([
      { name: 'price', label: 'price', type: 'number', min: -2.5, max: 10 },
      {
        name: 'released',
        label: 'released',
        type: 'date',
        min: '2024-05-06T00:00:00.000Z',
        max: '2024-05-06T00:00:00.000Z',
      },
    ]);
  });

  it('leave out a range without values, and list a string field without values', () => {
    expect(facetCounts(['price', 'released', 'colour'], [page({ price: 'dear' })], SITES)).toEqual([
      { name: 'colour', label: 'Colour', type: 'string', values: [] },
    ]);
  });

  it('of sites that type a field differently are those of the first type', () => {
    const other = { siteId: 'site-b', metadataSchema: [{ name: 'colour', type: 'number', facet: true }] } as const;
    const pages = [page({ colour: 'red' }), { ...page({ colour: 7 }), siteId: 'site-b' }];
    expect(facetCounts(['colour'], pages, [...SITES, other])).toMatchObject([{ values: [{ value: 'red', count: 1 }] }]);
    expect(facetCounts(['colour'], pages, [other, ...SITES])).toMatchObject([{ type: 'number', min: 7, max: 7 }]);
  });

  it('of every site are its tags and languages, before those of its schema', () => {
    expect(facetsOf(SITES).map(({ name }) => name)).toEqual(['tags', 'language', 'colour', 'price', 'released']);
    expect(facetCounts(['language'], [{ ...page({}), language: 'de' }, page({})], SITES)).toEqual([
      { name: 'language', label: 'Language', type: 'string', values: [{ value: 'de', count: 1 }] },
    ]);
  });

  it('have at most 100 values', () => {
    const pages = Array.from({ length: 150 }, (_, n) => page({}, [`tag ${n}`]));
    const [facet] = facetCounts(['tags'], [...pages, page({}, ['tag 149'])], SITES);
    const values = facet?.type === 'string' ? facet.values : [];
    expect(values).toHaveLength(100);
    expect(values[0]).toEqual({ value: 'tag 149', count: 2 });
  });

  it.each(['secret', 'hidden', 'nothing', '__proto__', ''])('do not tell of %j', (name) => {
    expect(() => facetCounts([name], [], SITES)).toThrow(AppError);
  });
});
