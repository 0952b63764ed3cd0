import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FetchPool } from '../../../../lambdas/domain/crawl/fetch/fetch-pool.ts';
import { urlFilter } from '../../../../lambdas/domain/crawl/frontier/url-filter.ts';
import type { QueuedUrl } from '../../../../lambdas/domain/crawl/jobs/url-rows.ts';
import type { FetchRequest, FetchResult } from '../../../../lambdas/domain/ports/page-fetcher.ts';
import { NEW_CRAWLER_CONFIG } from '../../../../lambdas/domain/sites/site-settings.ts';

const queued = (name: string): QueuedUrl => ({ url: `https://example.org/${name}`, urlHash: name, depth: 0 });
const callbacksRan = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a pool whose fetches, visits and clock the test controls. */
function testPool({ count = 2, spacingMs = 0, mayStart = (_: number): boolean => true } = {}) {
  const fetches = new Map<string, PromiseWithResolvers<FetchResult>>();
  const reads = new Map<string, PromiseWithResolvers<undefined>>();
  const started: string[] = [];
  const time = { now: 1000 };
  const opened = <T>(url: string, calls: Map<string, PromiseWithResolvers<T>>): Promise<T> => {
    const call = Promise.withResolvers<T>();
    calls.set(url.slice(url.lastIndexOf('/') + 1), call);
    return call.promise;
  };
  const fetch = ({ url }: FetchRequest) => {
    started.push(url.slice(url.lastIndexOf('/') + 1));
    return opened(url, fetches);
  };
  const fetcher = { fetch, stream: () => Promise.reject(new Error('no stream')), close: async () => undefined };
  const pageReader = { read: ({ url }: { readonly url: string }) => opened(url, reads), close: async () => undefined };
  const filter = urlFilter({ baseUrl: 'https://example.org/', config: NEW_CRAWLER_CONFIG });
  const rules = { filter, robots: undefined, fields: { fields: [], version: undefined }, selection: {} };
  const { signal } = new AbortController();
  const pool = new FetchPool(
    { rules, fetcher, pageReader, clock: () => time.now, signal },
    { mayStart: ({ active }) => mayStart(active) },
    { connections: count, spacingMs, notBefore: 0 },
  );
  /** The page has arrived, and is being read. */
  const release = async (name: string) => {
    fetches.get(name)?.resolve({ kind: 'response', status: 200, headers: {}, body: new Uint8Array() });
    await callbacksRan();
  };
  const end = async (name: string) => {
    await release(name);
    reads.get(name)?.resolve(undefined);
    await callbacksRan();
  };
  const drop = async (name: string) => {
    fetches.get(name)?.resolve({ kind: 'failure', reason: 'connection', detail: 'reset' });
    await callbacksRan();
  };
  const fail = (name: string, error: Error) => fetches.get(name)?.reject(error);
  return { pool, started, time, end, drop, fail, release };
}

describe('a fetch pool', () => {
  it('starts visits in order, one for each connection, and the next when one ends', async () => {
    const { pool, started, end } = testPool({ count: 2 });
    pool.add(['a', 'b', 'c'].map(queued));
    pool.start();
    expect([started, pool.active, pool.waiting]).toEqual([['a', 'b'], 2, 1]);
    pool.start();
    expect(started).toEqual(['a', 'b']);
    await end('b');
    pool.start();
    expect(started).toEqual(['a', 'b', 'c']);
    expect(pool.done.map((visit) => visit.queued.urlHash)).toEqual(['b']);
  });

  it('starts the next visit when one releases its connection, and counts that one as active until it ends', async () => {
    const { pool, started, release, end } = testPool({ count: 2, mayStart: (active) => active < 4 });
    pool.add(['a', 'b', 'c', 'd', 'e'].map(queued));
    pool.start();
    await release('a');
    expect([started, pool.active]).toEqual([['a', 'b', 'c'], 3]);
    await end('a');
    expect([started, pool.active]).toEqual([['a', 'b', 'c'], 2]);
    await release('b');
    await release('c');
    expect([started, pool.active, pool.waiting]).toEqual([['a', 'b', 'c', 'd', 'e'], 4, 0]);
  });

  it('asks before each start, with the number of active visits', () => {
    const asked: number[] = [];
    const mayStart = (active: number) => {
      asked.push(active);
      return active < 2;
    };
    const { pool, started } = testPool({ count: 5, mayStart });
    pool.add(['a', 'b', 'c'].map(queued));
    pool.start();
    expect([asked, started]).toEqual([
      [0, 1, 2],
      ['a', 'b'],
    ]);
  });

  it('keeps the spacing, also after a visit that ended at once', async () => {
    const { pool, started, time, end } = testPool({ count: 1, spacingMs: 100 });
    pool.add(['a', 'b', 'c'].map(queued));
    pool.start();
    await end('a');
    pool.start();
    expect([started, pool.pauseMs]).toEqual([['a'], 100]);
    time.now += 99;
    pool.start();
    expect([started, pool.pauseMs]).toEqual([['a'], 1]);
    time.now += 1;
    pool.start();
    expect(started).toEqual(['a', 'b']);
  });

  it('does not pause without a spacing', () => {
    const { pool } = testPool();
    pool.add([queued('a')]);
    pool.start();
    expect(pool.pauseMs).toBe(0);
  });

  it('continues one by one at half the pace after a refusal, however many were refused together', async () => {
    const { pool, started, time, end } = testPool({ count: 5 });
    pool.add(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(queued));
    pool.start();
    const startedAt = time.now;
    for (const name of started.slice()) {
      time.now += 10;
      pool.slowDown(2000, startedAt);
      await end(name);
    }
    time.now = 2000;
    pool.start();
    expect([started.at(-1), pool.active, pool.pauseMs]).toEqual(['f', 1, 500]);
    pool.slowDown(3000, time.now);
    await end('f');
    time.now = 3000;
    pool.start();
    expect([started.at(-1), pool.pauseMs]).toEqual(['g', 1000]);
  });

  it('uses one connection less after each failed one, but at least one', async () => {
    const { pool, started, drop, end } = testPool({ count: 3 });
    pool.add(['a', 'b', 'c', 'd', 'e', 'f'].map(queued));
    pool.start();
    for (const name of ['a', 'b', 'c']) await drop(name);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    await drop('d');
    expect([started, pool.active]).toEqual([['a', 'b', 'c', 'd', 'e'], 1]);
    await end('e');
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('counts a URL as in flight from its arrival until it is dropped', async () => {
    const { pool, end } = testPool({ count: 1 });
    pool.add(['a', 'b'].map(queued));
    expect([...pool.inFlight].sort()).toEqual(['a', 'b']);
    pool.start();
    expect([...pool.inFlight].sort()).toEqual(['a', 'b']);
    await end('a');
    expect([...pool.inFlight].sort()).toEqual(['a', 'b']);
    expect(pool.doneAt(0)).toBe(1000);
    pool.dropDone(1);
    expect(pool.inFlight).toEqual(['b']);
    expect(pool.doneAt(0)).toBeUndefined();
  });

  it('reports an arrival, also one from before the call', async () => {
    const { pool, end } = testPool({ count: 3 });
    pool.add(['a', 'b', 'c'].map(queued));
    pool.start();
    await end('a');
    await pool.arrival();
    let arrived = false;
    const next = pool.arrival().then(() => {
      arrived = true;
    });
    await callbacksRan();
    expect(arrived).toBe(false);
    await end('b');
    await next;
    expect(arrived).toBe(true);
  });

  it('throws at the next start what a visit threw, and reports an arrival', async () => {
    const { pool, fail } = testPool();
    pool.add([queued('a')]);
    pool.start();
    const arrival = pool.arrival();
    fail('a', new Error('a fault of ours'));
    await arrival;
    expect(() => pool.start()).toThrow('a fault of ours');
    expect(pool.active).toBe(0);
  });

  it('loses and duplicates no URL, whatever the order of calls', async () => {
    const step = fc.constantFrom('add', 'start', 'end', 'drop');
    const anyRun = fc.tuple(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }));
    await fc.assert(
      fc.asyncProperty(anyRun, async ([steps, count]) => {
        const { added, kept } = await ran(steps, count);
        expect(kept).toEqual(Array.from({ length: added }, (_, n) => String(n)));
      }),
      { numRuns: 50 },
    );
  });
});

/**
 * Runs the steps that are possible. Returns how many URLs were added, and which were dropped or are in flight at the
 * end.
 */
async function ran(steps: readonly ('add' | 'start' | 'end' | 'drop')[], count: number) {
  const { pool, started, end } = testPool({ count });
  const dropped: string[] = [];
  let [added, ended] = [0, 0];
  const take = {
    add: () => pool.add([queued(String(added++))]),
    start: () => pool.start(),
    end: () => (ended < started.length ? end(started[ended++] ?? '') : undefined),
    drop: () => {
      dropped.push(...pool.done.slice(0, 1).map((visit) => visit.queued.urlHash));
      pool.dropDone(1);
    },
  };
  for (const step of steps) {
    await take[step]();
    expect(pool.active).toBeLessThanOrEqual(count);
  }
  return { added, kept: [...dropped, ...pool.inFlight].sort((a, b) => Number(a) - Number(b)) };
}
