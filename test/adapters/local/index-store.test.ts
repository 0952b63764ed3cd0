import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lambdas/adapters/local/engine/database.ts';
import { EVENT_SCHEMA } from '../../../lambdas/adapters/local/engine/event-schema.ts';
import { SCHEMA } from '../../../lambdas/adapters/local/engine/schema.ts';
import { pageIndexStore } from '../../../lambdas/adapters/local/index-store/page-index-store.ts';
import { queryTerms } from '../../../lambdas/core/language/query-terms.ts';
import { pageBatch } from '../../../lambdas/search-engine/page-batch.ts';
import { indexEntry } from '../../support/index-entries.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const scope = { siteId: 'site', generation: 1 };
let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(SCHEMA + EVENT_SCHEMA);
});

type Store = ReturnType<typeof pageIndexStore>;

const put = (store: Store, name: string, text: string, generation = 1): void =>
  store.put(pageBatch([indexEntry({ ...scope, generation }, { urlHash: name, title: name, texts: [text] })]));

function names(store: Store, text: string, generation = 1): readonly string[] {
  const query = {
    scopes: [{ ...scope, generation }] as const,
    terms: queryTerms(text, ['en']),
    vector: undefined,
    limit: 10,
  };
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

describe('a search', () => {
  it('finds what another connection has written since', () => {
    const folder = temporaryFolder();
    const connections = [openDatabase(folder.path), openDatabase(folder.path)] as const;
    const [writer, reader] = [pageIndexStore(connections[0]), pageIndexStore(connections[1])];
    for (const expected of [['first'], ['first', 'second']]) {
      put(writer, expected.at(-1) ?? '', 'gopher');
      expect(names(reader, 'gopher').toSorted()).toEqual(expected);
    }
    writer.remove([{ ...scope, urlHash: 'first', revision: 9 }]);
    expect(names(reader, 'gopher')).toEqual(['second']);
    for (const connection of connections) connection.close();
    folder.remove();
  });

  it('finds the pages of the generation that it names', () => {
    const store = pageIndexStore(database);
    put(store, 'old', 'gopher');
    expect([names(store, 'gopher', 1), names(store, 'gopher', 2)]).toEqual([['old'], []]);
    put(store, 'new', 'gopher', 2);
    expect([1, 2, 1].map((generation) => names(store, 'gopher', generation))).toEqual([['old'], ['new'], ['old']]);
    while (!store.removeBelow('site', 2, 1));
    expect([1, 2].map((generation) => names(store, 'gopher', generation))).toEqual([[], ['new']]);
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

  it('leaves no deletion that hides a later one', () => {
    const store = pageIndexStore(database);
    for (const name of ['first', 'second']) put(store, name, 'gopher');
    const remove = (urlHash: string) => store.remove([{ ...scope, urlHash, revision: 9 }]);
    database.exec('BEGIN');
    remove('first');
    database.exec('ROLLBACK');
    expect(names(store, 'gopher').toSorted()).toEqual(['first', 'second']);
    remove('second'); // with the id of the deletion that was rolled back
    expect(names(store, 'gopher')).toEqual(['first']);
  });

  it('leaves nothing if it fails halfway', () => {
    const store = pageIndexStore(database);
    put(store, 'first', 'gopher');
    database.exec("CREATE TRIGGER full BEFORE INSERT ON index_segment BEGIN SELECT RAISE(ABORT, 'full'); END; BEGIN");
    expect(() => put(store, 'second', 'badger')).toThrow('full');
    database.exec('ROLLBACK; DROP TRIGGER full');
    put(store, 'third', 'ferret');
    for (const reader of [store, pageIndexStore(database)]) {
      expect(['badger', 'ferret'].map((word) => names(reader, word))).toEqual([[], ['third']]);
    }
  });
});
