import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pageBatch } from '../../../../lambdas/search-engine/page-batch.ts';
import { queryTerms } from '../../../../lambdas/text/words/query-terms.ts';
import { openDatabase, openReader } from '../../../../local/sqlite/database.ts';
import { pageIndexStore } from '../../../../local/sqlite/index/page-index-store.ts';
import { segmentStore } from '../../../../local/sqlite/index/segment-store.ts';
import { FILE_NAME } from '../../../../local/sqlite/schema.ts';
import { indexEntry } from '../../../support/index-entries.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

const scope = { siteId: 'site', generation: 1 };
let folder: TemporaryFolder;
let database: DatabaseSync;
let reader: DatabaseSync;
let store: ReturnType<typeof segmentStore>;
let search: ReturnType<typeof pageIndexStore>;

beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
  reader = openReader(join(folder.path, FILE_NAME));
  store = segmentStore(database);
  search = pageIndexStore(reader);
});
afterEach(() => {
  reader.close();
  database.close();
  folder.remove();
});

const put = (name: string, text: string, generation = 1): void =>
  store.put(pageBatch([indexEntry({ ...scope, generation }, { urlHash: name, title: name, texts: [text] })]));

const remove = (urlHash: string): void => store.remove([{ ...scope, urlHash, revision: 9 }]);

function names(text: string, { generation = 1, from = search } = {}): readonly string[] {
  const query = {
    scopes: [{ ...scope, generation }] as const,
    terms: queryTerms(text, ['en']),
    vector: undefined,
    limit: 10,
  };
  const noFilters = { requiredPhrases: [], excludedPhrases: [] };
  return from
    .candidates({ ...query, ...noFilters })
    .pages.map(({ urlHash }) => urlHash)
    .toSorted();
}

describe('warm', () => {
  it('loads the stored pages, so that searches find them and later ones', () => {
    put('first', 'gopher');
    expect(search.warm(1000)).toBe(1);
    expect(names('gopher')).toEqual(['first']);
    put('second', 'gopher');
    expect(names('gopher')).toEqual(['first', 'second']);
  });

  it('loads nothing without time', () => {
    put('first', 'gopher');
    expect(search.warm(-1)).toBe(0);
  });
});

describe('a search', () => {
  it('finds what the other connection has written since', () => {
    for (const expected of [['first'], ['first', 'second']]) {
      put(expected.at(-1) ?? '', 'gopher');
      expect(names('gopher')).toEqual(expected);
    }
    remove('first');
    expect(names('gopher')).toEqual(['second']);
  });

  it('finds the pages of the generation that it names', () => {
    const found = (generation: number) => names('gopher', { generation });
    put('old', 'gopher');
    expect([1, 2].map(found)).toEqual([['old'], []]);
    put('new', 'gopher', 2);
    expect([1, 2, 1].map(found)).toEqual([['old'], ['new'], ['old']]);
    while (!store.removeBelow('site', 2, 1));
    expect([1, 2].map(found)).toEqual([[], ['new']]);
  });
});

describe('a write that is rolled back', () => {
  it('leaves neither terms nor pages', () => {
    put('first', 'gopher');
    expect(names('gopher')).toEqual(['first']);
    database.exec('BEGIN');
    put('second', 'gopher badger walrus');
    database.exec('ROLLBACK');
    put('third', 'ferret badger');
    for (const from of [search, pageIndexStore(reader)]) {
      const found = ['gopher', 'badger', 'walrus', 'ferret'].map((word) => names(word, { from }));
      expect(found).toEqual([['first'], ['third'], [], ['third']]);
    }
  });

  it('leaves no deletion that hides a later one', () => {
    for (const name of ['first', 'second']) put(name, 'gopher');
    database.exec('BEGIN');
    remove('first');
    database.exec('ROLLBACK');
    expect(names('gopher')).toEqual(['first', 'second']);
    remove('second'); // with the id of the deletion that was rolled back
    expect(names('gopher')).toEqual(['first']);
  });

  it('leaves nothing if it fails halfway', () => {
    put('first', 'gopher');
    database.exec("CREATE TRIGGER full BEFORE INSERT ON index_segment BEGIN SELECT RAISE(ABORT, 'full'); END; BEGIN");
    expect(() => put('second', 'badger')).toThrow('full');
    database.exec('ROLLBACK; DROP TRIGGER full');
    put('third', 'ferret');
    for (const from of [search, pageIndexStore(reader)]) {
      expect(['badger', 'ferret'].map((word) => names(word, { from }))).toEqual([[], ['third']]);
    }
  });
});
