import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pageIndexStore } from '../../../lambdas/adapters/local/engine/page-index.ts';
import { PageVocabulary } from '../../../lambdas/adapters/local/engine/page-vocabulary.ts';
import { EVENT_SCHEMA, SCHEMA } from '../../../lambdas/adapters/local/engine/schema.ts';
import { packVectors } from '../../../lambdas/adapters/local/engine/vector-encoding.ts';
import { queryTerms } from '../../../lambdas/core/language/query-terms.ts';
import { termsByPosition } from '../../../lambdas/core/language/terms.ts';

const scope = { siteId: 'site', generation: 1 };
let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(SCHEMA + EVENT_SCHEMA);
});

type Store = ReturnType<typeof pageIndexStore>;

function put(store: Store, name: string, text: string): void {
  const vocabulary = new PageVocabulary();
  const titleTerms = vocabulary.encodeDistinct([name]);
  const chunk = { ord: 0, headings: [], sections: [], text, labels: vocabulary.encodeLabels([]), linkShare: 0 };
  const chunks = [{ ...chunk, terms: vocabulary.encodeSequence(termsByPosition(`${name} ${text}`, 'en')) }];
  const spellings = vocabulary.encodeSpellings(text.split(' '));
  store.put([
    {
      ...{ ...scope, urlHash: name, revision: 1, url: `https://example.org/${name}`, title: name, titleTerms },
      ...{ titleLength: 1, language: 'en', aliases: [], tags: [], facts: [], crawledAt: '2026-01-01T00:00:00.000Z' },
      ...{ vocabulary: vocabulary.joined, spellings, chunks, vectors: packVectors([undefined]) },
    },
  ]);
}

function names(store: Store, text: string): readonly string[] {
  const query = { scopes: [scope] as const, terms: queryTerms(text, ['en']), vector: undefined, limit: 10 };
  const noFilters = { requiredPhrases: [], excludedPhrases: [] };
  return store.candidates({ ...query, ...noFilters }).pages.map(({ urlHash }) => urlHash);
}

describe('warm', () => {
  it('loads the stored pages, so that searches find them and later ones', () => {
    const before = pageIndexStore(database);
    put(before, 'first', 'gopher');
    const opened = pageIndexStore(database);
    expect(opened.warm(1000)).toBe(1);
    expect(names(opened, 'gopher')).toEqual(['first']);
    put(opened, 'second', 'gopher');
    expect(names(opened, 'gopher').toSorted()).toEqual(['first', 'second']);
  });

  it('loads nothing without time', () => {
    put(pageIndexStore(database), 'first', 'gopher');
    expect(pageIndexStore(database).warm(-1)).toBe(0);
  });
});

describe('a write that is rolled back', () => {
  it('leaves neither terms nor pages', () => {
    const store = pageIndexStore(database);
    put(store, 'first', 'gopher');
    expect(names(store, 'gopher')).toEqual(['first']);
    database.exec('BEGIN');
    put(store, 'second', 'gopher badger walrus');
    database.exec('ROLLBACK');
    put(store, 'third', 'ferret badger');
    for (const reader of [store, pageIndexStore(database)]) {
      const found = ['gopher', 'badger', 'walrus', 'ferret'].map((word) => names(reader, word));
      expect(found).toEqual([['first'], ['third'], [], ['third']]);
    }
  });

  it('leaves nothing if it fails halfway', () => {
    const store = pageIndexStore(database);
    put(store, 'first', 'gopher');
    database.exec("CREATE TRIGGER full BEFORE INSERT ON index_page_data BEGIN SELECT RAISE(ABORT, 'full'); END; BEGIN");
    expect(() => put(store, 'second', 'badger')).toThrow('full');
    database.exec('ROLLBACK; DROP TRIGGER full');
    put(store, 'third', 'ferret');
    for (const reader of [store, pageIndexStore(database)]) {
      expect(['badger', 'ferret'].map((word) => names(reader, word))).toEqual([[], ['third']]);
    }
  });
});
