import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pageIndexStore } from '../../../lambdas/adapters/local/engine/page-index.ts';
import { PageTerms } from '../../../lambdas/adapters/local/engine/page-terms.ts';
import { packVectors } from '../../../lambdas/adapters/local/engine/page-vectors.ts';
import { bringToFormat } from '../../../lambdas/adapters/local/engine/schema.ts';
import { queryTerms } from '../../../lambdas/core/language/query-terms.ts';
import { termsByPosition } from '../../../lambdas/core/language/terms.ts';
import { cosineOf, embeddedAt, queryVectorAt } from '../../support/index-entries.ts';

const scope = { siteId: 'site', generation: 1 };
let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
});

type Store = ReturnType<typeof pageIndexStore>;

function put(store: Store, name: string, text: string): void {
  const numbers = new PageTerms();
  const titleTerms = numbers.placesOf([name]);
  const chunk = { ord: 0, headings: [], text, labels: numbers.labels([]), linkShare: 0 };
  const chunks = [{ ...chunk, terms: numbers.sequence(termsByPosition(`${name} ${text}`, 'en')) }];
  store.put([
    {
      ...{ ...scope, urlHash: name, revision: 1, url: `https://example.org/${name}`, title: name, titleTerms },
      ...{ titleLength: 1, language: 'en', tags: [], facts: [], crawledAt: '2026-01-01T00:00:00.000Z' },
      ...{ words: numbers.words, chunks, vectors: packVectors([undefined]) },
    },
  ]);
}

function ask(store: Store, query: string, vector?: Float32Array) {
  const asked = { scopes: [scope] as const, terms: queryTerms(query, ['en']), vector, limit: 10 };
  return store.candidates({ ...asked, filters: [], groups: [], requiredPhrases: [], excludedPhrases: [] });
}

const names = (store: Store, query: string) => ask(store, query).pages.map(({ urlHash }) => urlHash);

describe('a store that is opened', () => {
  it('can load what is there before it is searched, and then finds it', () => {
    bringToFormat(database);
    const before = pageIndexStore(database);
    put(before, 'first', 'gopher');
    const opened = pageIndexStore(database);
    expect(opened.warm(1000)).toBe(1);
    expect(names(opened, 'gopher')).toEqual(['first']);
    put(opened, 'second', 'gopher');
    expect(names(opened, 'gopher').toSorted()).toEqual(['first', 'second']);
  });

  it('loads nothing when there is no time', () => {
    bringToFormat(database);
    put(pageIndexStore(database), 'first', 'gopher');
    expect(pageIndexStore(database).warm(-1)).toBe(0);
  });
});

describe('a write that is undone', () => {
  it('leaves nothing behind: neither its words nor its pages', () => {
    bringToFormat(database);
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

  it('leaves nothing behind if it fails in the middle', () => {
    bringToFormat(database);
    const store = pageIndexStore(database);
    put(store, 'first', 'gopher');
    database.exec("CREATE TRIGGER full BEFORE INSERT ON index_evidence BEGIN SELECT RAISE(ABORT, 'full'); END; BEGIN");
    expect(() => put(store, 'second', 'badger')).toThrow('full');
    database.exec('ROLLBACK; DROP TRIGGER full');
    put(store, 'third', 'ferret');
    for (const reader of [store, pageIndexStore(database)]) {
      expect(['badger', 'ferret'].map((word) => names(reader, word))).toEqual([[], ['third']]);
    }
  });
});

describe('a file of format 1', () => {
  beforeEach(() => {
    bringToFormat(database, 0, 1);
    database.exec(`
      INSERT INTO index_space (id, site_id, generation, chunks, terms, version) VALUES (7, 'site', 1, 2, 8, 5);
      CREATE VIRTUAL TABLE index_words_7 USING fts5 (terms, content = '', contentless_delete = 1);
      CREATE VIRTUAL TABLE index_vocabulary_7 USING fts5vocab (index_words_7, 'row');
      INSERT INTO index_page VALUES (3, 7, 'hash', 4, 'https://example.org/a', '/a', 'Gopher', ' gopher ', 1, 'en', NULL, '["red"]', '[]',
        NULL, '2026-01-01T00:00:00.000Z', ' gopher call pg_dump pg dump ', 'gopher');
    `);
    const insert = database.prepare(
      `INSERT INTO index_chunk (page, ord, length, block, terms, headings, text, vector_start, vector_length, vector)
       VALUES (3, ?, ?, ?, ?, '["Dumping"]', 'call pg_dump', ?, ?, ?)`,
    );
    const numbers = new Uint8Array(embeddedAt(30).vector.slice(0, 256).buffer);
    insert.run(0, 5, 'table', 'gopher dump call pg_dump\u00a0pg\u00a0dump', 0, 384, numbers);
    insert.run(1, 3, null, 'gopher dump call', null, null, null);
  });

  it('is searched like one of today, with the labels that its texts have', () => {
    bringToFormat(database, 1);
    const store = pageIndexStore(database);
    const { pages, statistics } = ask(store, 'pg_dump call', queryVectorAt(0));
    expect(statistics.get('site')).toMatchObject({ chunks: 2, averageLength: 4, documentFrequency: [1, 1, 2, 2] });
    expect(pages).toMatchObject([{ urlHash: 'hash', url: 'https://example.org/a', tags: ['red'], block: 'table' }]);
    const [chunk] = pages[0]?.chunks ?? [];
    expect(chunk).toMatchObject({ ord: 0, frequencies: [1, 1, 2, 1], labelLengths: [0, 0, 1, 0], linkShare: 0 });
    expect(chunk?.cosine).toBeCloseTo(cosineOf(30), 3);
    const [passage] = store.passages([{ ...scope, urlHash: 'hash', ord: 1 }]);
    expect(passage).toMatchObject({ revision: 4, headings: ['Dumping'], text: 'call pg_dump' });
  });

  it('has no full-text table any more', () => {
    bringToFormat(database, 1);
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%_7%'").all();
    expect(tables).toEqual([]);
  });
});

describe('a file of format 2', () => {
  it('has the list of all sites', () => {
    bringToFormat(database, 0, 2);
    const insert = database.prepare("INSERT INTO item (pk, sk, value) VALUES (?, ?, '{}')");
    for (const [pk, sk] of [
      ['ORG#a', 'ORG'],
      ['ORG#a', 'SITE#1'],
      ['ORG#b', 'SITE#2'],
      ['SITE#1', 'SITE'],
    ] as const)
      insert.run(pk, sk);
    bringToFormat(database, 2);
    const listed = database.prepare("SELECT sk FROM item WHERE pk = 'SITES' ORDER BY sk").all();
    expect(listed.map(({ sk }) => sk)).toEqual(['SITE#1', 'SITE#2']);
  });
});
