import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { AppError, UnavailableError } from '../../../lambdas/core/errors.ts';
import type { Embedder } from '../../../lambdas/core/ports/embedder.ts';
import type { PageIndex } from '../../../lambdas/core/ports/page-index.ts';
import { knownSpaces } from '../../../lambdas/core/reindexing/cached-registry.ts';
import { movingIndex } from '../../../lambdas/core/reindexing/dual-write-index.ts';
import { changeSpaces, type SpaceRecord } from '../../../lambdas/core/reindexing/index-registry.ts';
import { indexEntry, newScope } from '../../support/index-entries.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { kindOf, MovingSpaces } from '../../support/moving-spaces.ts';
import { RememberedIndex } from '../../support/remembered-index.ts';

describe('An index that moves', () => {
  const [old, next] = [
    { ...kindOf(1), index: 'old' },
    { ...kindOf(2), index: 'next' },
  ];
  const record = {
    searched: old,
    also: next,
    left: [],
    step: 'fill',
    slice: 1,
    notBefore: 0,
    pauseSeconds: 0,
  } as const;
  const spaces = new MovingSpaces();
  const own = spaces.embedderOf(next);

  it('asks for a vector the index of its space, though the search has moved on meanwhile', async () => {
    const asked: string[] = [];
    let now: SpaceRecord = { ...record, changedAt: 0 };
    const { pageIndex, embedder } = movingIndex({
      own,
      layout: 'v1',
      spaces: async () => now,
      open: async (space) => {
        const candidates = async () => {
          asked.push(space.index);
          return { statistics: new Map(), pages: [], hasMore: false };
        };
        return {
          index: Object.assign(new RememberedIndex(), { candidates }) as PageIndex,
          embedder: spaces.embedderOf(space),
        };
      },
    });
    const vector = await embedder.embedQuery('gopher', 100);
    now = { ...now, searched: next, also: old, step: 'leave' };
    const query = {
      scopes: [newScope()] as const,
      terms: [],
      filters: [],
      requiredPhrases: [],
      excludedPhrases: [],
      groups: [],
      limit: 1,
    };
    await pageIndex.candidates({ ...query, vector });
    await pageIndex.candidates(query);
    await pageIndex.candidates({ ...query, vector: await embedder.embedQuery('gopher', 100) });
    expect(asked).toEqual(['old', 'next', 'next']);
  });

  it('asks no other embedder for pages that had to go without vectors', async () => {
    const index = new RememberedIndex();
    const unasked: Embedder = { ...spaces.embedderOf(old), embedTexts: () => Promise.reject(new Error('asked')) };
    const { pageIndex } = movingIndex({
      own,
      layout: 'v1',
      spaces: async () => ({ ...record, also: undefined, changedAt: 0 }),
      open: async () => ({ index, embedder: unasked }),
    });
    const scope = newScope();
    await pageIndex.put([indexEntry(scope, { urlHash: 'a', texts: ['Text.'] })], { visible: 'now' });
    expect(index.of(scope.siteId)).toEqual({ '/a': 'Text. (none)' });
  });

  const faults = {
    'is away': new UnavailableError('away'),
    'refuses the key': new AppError('upstream_unavailable', 'unknown key'),
  };
  for (const [what, fault] of Object.entries(faults)) {
    it(`takes pages by their words where what made the old vectors ${what}`, async () => {
      const indices = { old: new RememberedIndex(), next: new RememberedIndex() };
      const gone: Embedder = { ...spaces.embedderOf(old), embedTexts: () => Promise.reject(fault) };
      const { pageIndex } = movingIndex({
        own,
        layout: 'v1',
        spaces: async () => ({ ...record, changedAt: 0 }),
        open: async ({ index }) =>
          index === 'old' ? { index: indices.old, embedder: gone } : { index: indices.next, embedder: own },
      });
      const scope = newScope();
      const embedded = [{ vector: Float32Array.of(2), block: 'model' as const }];
      await pageIndex.put([indexEntry(scope, { urlHash: 'a', texts: ['Text.'], embedded })], { visible: 'soon' });
      expect([indices.old.of(scope.siteId), indices.next.of(scope.siteId)]).toEqual([
        { '/a': 'Text. (none)' },
        { '/a': 'Text. (2)' },
      ]);
    });
  }
});

describe('What is known of the indices', () => {
  let close: () => Promise<void>;
  beforeEach(async () => {
    close = await openLocalStore();
  });
  afterEach(() => close());

  it('is read again after five seconds, and is the last that was known while the table is away', async () => {
    const spaces = new MovingSpaces();
    let isAway = false;
    const get: typeof table.get = (key) => (isAway ? Promise.reject(new UnavailableError('away')) : table.get(key));
    const known = knownSpaces({ table: { ...table, get }, clock: spaces.clock });
    await expect(known()).rejects.toThrow(UnavailableError);
    const first = await spaces.adopt(kindOf(1));
    expect(await known()).toEqual(first);
    const second = await changeSpaces(first, first, { table, clock: spaces.clock });
    expect((await known()).slice).toBe(first.slice);
    spaces.now += 5000;
    expect(await known()).toEqual(second);
    spaces.now += 5000;
    isAway = true;
    expect(await known()).toEqual(second);
    expect((await queue.receive('move-index', { max: 1, waitSeconds: 0 })).length).toBe(1);
  });
});
