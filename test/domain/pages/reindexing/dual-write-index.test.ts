import { describe, expect, it } from '@jest/globals';
import { AppError, UnavailableError } from '../../../../lambdas/domain/errors.ts';
import { cachedRegistry } from '../../../../lambdas/domain/pages/reindexing/cached-registry.ts';
import { dualWriteIndex } from '../../../../lambdas/domain/pages/reindexing/dual-write-index.ts';
import { changeIndexRegistry, type IndexRegistry } from '../../../../lambdas/domain/pages/reindexing/index-registry.ts';
import { searchedIndex } from '../../../../lambdas/domain/pages/reindexing/searched-index.ts';
import type { Embedder } from '../../../../lambdas/domain/ports/embedder.ts';
import type { PageIndex } from '../../../../lambdas/domain/ports/page-index.ts';
import { indexEntry, newScope } from '../../../support/index-entries.ts';
import { IndexMigration, kindOf, textsIn } from '../../../support/index-migration.ts';
import { MemoryPageIndex } from '../../../support/memory/page-index.ts';

describe('Dual writing', () => {
  const [old, next] = [
    { ...kindOf(1), index: 'old' },
    { ...kindOf(2), index: 'next' },
  ];
  const record = {
    searched: old,
    secondary: next,
    retired: [],
    step: 'backfill',
    version: 1,
    notBefore: 0,
    pauseSeconds: 0,
  } as const;
  const migration = new IndexMigration();
  const own = migration.embedderOf(next);

  it('searches a vector in the index of its space, even after the search has switched to another index', async () => {
    const asked: string[] = [];
    let now: IndexRegistry = { ...record, changedAt: 0 };
    const { index, embedder } = searchedIndex({
      own,
      registry: async () => now,
      open: async (space) => {
        const candidates = async () => {
          asked.push(space.index);
          return { statistics: new Map(), pages: [], others: 0 };
        };
        return {
          index: Object.assign(new MemoryPageIndex(), { candidates }) as PageIndex,
          embedder: migration.embedderOf(space),
        };
      },
    });
    const vector = await embedder.embedQuery('gopher', 100);
    now = { ...now, searched: next, secondary: old, step: 'drain' };
    const query = {
      scopes: [newScope()] as const,
      terms: [],
      requiredPhrases: [],
      excludedPhrases: [],
      limit: 1,
    };
    await index.candidates({ ...query, vector });
    await index.candidates(query);
    await index.candidates({ ...query, vector: await embedder.embedQuery('gopher', 100) });
    expect(asked).toEqual(['old', 'next', 'next']);
  });

  it('asks no other embedder for pages that came without vectors', async () => {
    const index = new MemoryPageIndex();
    const unasked: Embedder = { ...migration.embedderOf(old), embedTexts: () => Promise.reject(new Error('asked')) };
    const pageIndex = dualWriteIndex({
      layout: 'v1',
      registry: async () => ({ ...record, secondary: undefined, changedAt: 0 }),
      open: () => index,
      embedders: async () => ({ embedder: own, embedderOf: async () => unasked }),
    });
    const scope = newScope();
    await pageIndex.put([indexEntry(scope, { urlHash: 'a', texts: ['Text.'] })], { visible: 'now' });
    expect(textsIn(index, scope.siteId)).toEqual({ '/a': 'Text. (none)' });
  });

  const faults = {
    'is away': new UnavailableError('away'),
    'refuses the key': new AppError('upstream_unavailable', 'unknown key'),
  };
  for (const [what, fault] of Object.entries(faults)) {
    it(`writes pages without vectors to the old index when its embedder ${what}`, async () => {
      const indices = { old: new MemoryPageIndex(), next: new MemoryPageIndex() };
      const gone: Embedder = { ...migration.embedderOf(old), embedTexts: () => Promise.reject(fault) };
      const pageIndex = dualWriteIndex({
        layout: 'v1',
        registry: async () => ({ ...record, changedAt: 0 }),
        open: ({ index }) => (index === 'old' ? indices.old : indices.next),
        embedders: async () => ({ embedder: own, embedderOf: async ({ space }) => (space === own.space ? own : gone) }),
      });
      const scope = newScope();
      const embedded = [{ vector: Float32Array.of(2), block: 'model' as const }];
      await pageIndex.put([indexEntry(scope, { urlHash: 'a', texts: ['Text.'], embedded })], { visible: 'soon' });
      expect([textsIn(indices.old, scope.siteId), textsIn(indices.next, scope.siteId)]).toEqual([
        { '/a': 'Text. (none)' },
        { '/a': 'Text. (2)' },
      ]);
    });
  }
});

describe('The cached index registry', () => {
  it('is read again after five seconds, and is the last one read while the table is unavailable', async () => {
    const migration = new IndexMigration();
    const { table, queue } = migration.stores;
    let isAway = false;
    const get: typeof table.get = (key) => (isAway ? Promise.reject(new UnavailableError('away')) : table.get(key));
    const known = cachedRegistry({ table: { ...table, get }, clock: migration.clock });
    await expect(known()).rejects.toThrow(UnavailableError);
    const first = await migration.ensure(kindOf(1));
    expect(await known()).toEqual(first);
    const second = await changeIndexRegistry(first, first, { table, clock: migration.clock });
    expect((await known()).version).toBe(first.version);
    migration.now += 5000;
    expect(await known()).toEqual(second);
    migration.now += 5000;
    isAway = true;
    expect(await known()).toEqual(second);
    expect((await queue.receive('move-index', { max: 1, waitSeconds: 0 })).length).toBe(1);
  });
});
