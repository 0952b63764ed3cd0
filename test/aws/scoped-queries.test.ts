import { describe, expect, it } from '@jest/globals';
import { putLines, removeLine } from '../../lambdas/aws/opensearch/index/page-writes.ts';
import { groupClause, pageTests } from '../../lambdas/aws/opensearch/search/page-clauses.ts';
import * as scopedQueries from '../../lambdas/aws/opensearch/search/scoped-queries.ts';
import { WeightedTerms } from '../../lambdas/domain/search/rank/weighted-terms.ts';
import { queryTerms } from '../../lambdas/text/words/query-terms.ts';
import { indexEntry } from '../support/index-entries.ts';

const scope = { siteId: 'site-a', generation: 7 };
const other = { siteId: 'site-b', generation: 2 };
const own = [{ term: { siteId: 'site-a' } }, { term: { generation: 7 } }];
const others = [{ term: { siteId: 'site-b' } }, { term: { generation: 2 } }];

const group = { inside: false, tags: ['x'], urlPrefixes: ['https://'], pathPrefixes: ['/'] };
const terms = queryTerms('word', ['en']);
const parts = {
  features: {
    query: terms,
    forms: ['word'],
    averageLength: 100,
    vector: [1, 0],
    vectorLength: 1,
    weighted: new WeightedTerms(terms, { chunks: 10, averageLength: 100, documentFrequency: [1] }),
  },
  tests: [
    ...pageTests(
      {
        filters: [{ field: 'tags', anyOf: ['y'] }],
        requiredPhrases: [[['a'], ['b']]],
        excludedPhrases: [[['c']]],
      },
      scope,
    ),
    groupClause(group, scope),
  ],
  limit: 10,
  chunksPerPage: 1,
};
const { totals, frequencies, similarWords, byWords, byVector, passages, facets, pagesWithText, pagesBelow } =
  scopedQueries;
const { wordEntries, spelledPages, pagesByTitle } = scopedQueries;

/** A query of every function of the module; none may reach beyond the scope. */
const queries = {
  totals: totals(scope),
  frequencies: frequencies(scope, [['word'], ['other', 'form']]),
  byWords: byWords(scope, { ...parts, words: [{ forms: ['word', 'words'], weight: 1 }] }),
  byVector: byVector(scope, { ...parts, vector: [1, 0] }),
  passages: passages(scope, [{ urlHash: 'hash', ord: 1 }]),
  pagesWithText: pagesWithText(scope, { text: '*', limit: 10, after: 'https://example.org/' }),
};

/** Queries of several sites at once. */
const ofSites = {
  similarWords: similarWords([scope, other], [{ word: 'wrod', edits: 1 }]),
  wordEntries: wordEntries([scope, other], [{ word: 'wo', forms: ['wo'], find: 'completions' }], 10),
  spelledPages: spelledPages([scope, other], ['word']),
  pagesByTitle: pagesByTitle({
    scopes: [scope, other],
    words: [{ word: 'word', forms: ['word'] }],
    limit: 5,
  }),
};

describe('Every query of the index', () => {
  it('is tested here', () => {
    const tested = [...Object.keys(queries), ...Object.keys(ofSites), 'facets', 'pagesBelow'];
    expect(Object.keys(scopedQueries).toSorted()).toEqual(tested.toSorted());
  });

  for (const [name, query] of Object.entries(queries)) {
    it(`is routed to its site and filters by site and generation: ${name}`, () => {
      expect(query.routing).toBe('site-a');
      expect(filterOf(query.body.query)).toEqual(expect.arrayContaining(own));
    });
  }

  it('filters inside k-NN too', () => {
    const clauses = Object.values(queries).flatMap(({ body }) => valuesOf(body, 'knn'));
    expect(clauses).toHaveLength(1);
    const [{ 'chunks.vector': knn }] = clauses as [Record<string, { filter: unknown }>];
    expect(filterOf(knn?.filter)).toEqual(expect.arrayContaining(own));
  });

  it('has no second query beside the filtered one', () => {
    for (const { body } of Object.values(queries)) {
      expect(Object.keys(body).filter((key) => /query|post_filter|knn|rescore/.test(key))).toEqual(['query']);
      expect(valuesOf(body, 'global')).toEqual([]);
    }
  });

  for (const [name, { routing, body }] of Object.entries(ofSites)) {
    it(`is routed to its sites and filters by each with its generation: ${name}`, () => {
      expect(routing).toBe('site-a,site-b');
      const [filter = body.query] = filterOf(body.query) ?? [];
      const { bool } = filter as { bool: { should: unknown[]; minimum_should_match: number } };
      expect(bool.should.map(filterOf)).toEqual([own, others]);
      expect(bool.minimum_should_match).toBe(1);
    });
  }

  it('is routed to all of its sites and filters by each with its generation', () => {
    const filter = { field: 'tags', anyOf: ['x'] } as const;
    const { routing, body } = facets([{ ...scope, filters: [filter] }, other], {
      fields: [{ name: 'k', field: 'facts', prefix: 's:k=' }],
      limit: 5,
    });
    expect(routing).toBe('site-a,site-b');
    const { bool } = body.query as { bool: { should: unknown[]; minimum_should_match: number } };
    expect(bool.should.map(filterOf)).toEqual([[...own, { terms: { tags: ['x'] } }], others]);
    expect(bool.minimum_should_match).toBe(1);
  });

  it('removes pages of its site and of older generations only', () => {
    const site = { term: { siteId: 'site-a' } };
    const { routing, body } = pagesBelow('site-a', 7);
    expect(routing).toBe('site-a');
    expect(filterOf(body.query)).toEqual([site, { range: { generation: { lt: 7 } } }]);
    expect(filterOf(pagesBelow('site-a', Infinity).body.query)).toEqual([site]);
  });
});

describe('Every write of the index', () => {
  it('is routed to its site, with site and generation in its id and a version that rises with the revision', () => {
    const entry = indexEntry(scope, { urlHash: 'hash', revision: 5 });
    const target = { _id: 'site-a:7:hash', routing: 'site-a', version_type: 'external_gte' };
    const [index, document] = putLines(entry, 384).lines.split('\n');
    expect(JSON.parse(index ?? '')).toEqual({ index: { ...target, version: 10 } });
    expect(JSON.parse(document ?? '')).toMatchObject(scope);
    expect(JSON.parse(removeLine(entry).lines)).toEqual({ delete: { ...target, version: 11 } });
  });
});

/** The clauses that every page of the result fulfils. */
function filterOf(query: unknown): readonly unknown[] | undefined {
  const { bool } = query as { bool: { filter?: readonly unknown[] } };
  return bool.filter;
}

function valuesOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...valuesOf(inner, name)]);
}
