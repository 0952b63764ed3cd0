import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FetchPool } from '../../../../lambdas/core/crawl/fetch/fetch-pool.ts';
import type { Visit } from '../../../../lambdas/core/crawl/fetch/visit-result.ts';
import type { QueuedUrl } from '../../../../lambdas/core/crawl/frontier/frontier-rows.ts';

const always = () => true;
const queued = (name: string): QueuedUrl => ({ url: `https://example.org/${name}`, urlHash: name, depth: 0 });
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Lanes whose visits end when the test says so, and a clock that it turns. */
function lanes({ count = 2, spacingMs = 0 } = {}) {
  type Open = { readonly end: () => void; readonly fail: (error: Error) => void; readonly leaveLane: () => void };
  const open = new Map<string, Open>();
  const started: string[] = [];
  const time = { now: 1000 };
  const fetchLanes = new FetchPool({ lanes: count, spacingMs, notBefore: 0, now: () => time.now }, (url, leaveLane) => {
    started.push(url.urlHash);
    const { promise, resolve, reject } = Promise.withResolvers<Visit>();
    const visit: Visit = { queued: url, fetched: true, answered: true, found: [], ending: { outcome: 'indexed' } };
    open.set(url.urlHash, { end: () => resolve(visit), fail: reject, leaveLane });
    return promise;
  });
  const end = async (name: string) => {
    open.get(name)?.end();
    await settled();
  };
  const fail = (name: string, error: Error) => open.get(name)?.fail(error);
  const leave = (name: string) => open.get(name)?.leaveLane();
  return { fetchLanes, started, time, end, fail, leave };
}

describe('the lanes of a crawl', () => {
  it('start in order, as many at once as there are lanes, and the next when one ends', async () => {
    const { fetchLanes, started, end } = lanes({ count: 2 });
    fetchLanes.add(['a', 'b', 'c'].map(queued));
    fetchLanes.start(always);
    expect([started, fetchLanes.active, fetchLanes.waiting]).toEqual([['a', 'b'], 2, 1]);
    fetchLanes.start(always);
    expect(started).toEqual(['a', 'b']);
    await end('b');
    fetchLanes.start(always);
    expect(started).toEqual(['a', 'b', 'c']);
    expect(fetchLanes.done.map((visit) => visit.queued.urlHash)).toEqual(['b']);
  });

  it('start the next when a visit leaves its lane, which is under way until it ends', async () => {
    const { fetchLanes, started, leave, end } = lanes({ count: 2 });
    fetchLanes.add(['a', 'b', 'c', 'd', 'e'].map(queued));
    fetchLanes.start((active) => active < 4);
    leave('a');
    leave('a');
    expect([started, fetchLanes.active]).toEqual([['a', 'b', 'c'], 3]);
    await end('a');
    expect([started, fetchLanes.active]).toEqual([['a', 'b', 'c'], 2]);
    leave('b');
    leave('c');
    expect([started, fetchLanes.active, fetchLanes.waiting]).toEqual([['a', 'b', 'c', 'd', 'e'], 4, 0]);
  });

  it('ask before each start, with the number under way', () => {
    const { fetchLanes, started } = lanes({ count: 5 });
    fetchLanes.add(['a', 'b', 'c'].map(queued));
    const asked: number[] = [];
    fetchLanes.start((active) => {
      asked.push(active);
      return active < 2;
    });
    expect([asked, started]).toEqual([
      [0, 1, 2],
      ['a', 'b'],
    ]);
  });

  it('keep their distance, also from a visit that ended at once', async () => {
    const { fetchLanes, started, time, end } = lanes({ count: 1, spacingMs: 100 });
    fetchLanes.add(['a', 'b', 'c'].map(queued));
    fetchLanes.start(always);
    await end('a');
    fetchLanes.start(always);
    expect([started, fetchLanes.pauseMs]).toEqual([['a'], 100]);
    time.now += 99;
    fetchLanes.start(always);
    expect([started, fetchLanes.pauseMs]).toEqual([['a'], 1]);
    time.now += 1;
    fetchLanes.start(always);
    expect(started).toEqual(['a', 'b']);
  });

  it('do not pause where no distance is wished', () => {
    const { fetchLanes } = lanes();
    fetchLanes.add([queued('a')]);
    fetchLanes.start(always);
    expect(fetchLanes.pauseMs).toBe(0);
  });

  it('go on one by one at half the pace after a refusal, however many were refused together', async () => {
    const { fetchLanes, started, time, end } = lanes({ count: 5 });
    fetchLanes.add(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(queued));
    fetchLanes.start(always);
    const askedAt = time.now;
    for (const name of started.slice()) {
      time.now += 10;
      fetchLanes.slowDown(2000, askedAt);
      await end(name);
    }
    time.now = 2000;
    fetchLanes.start(always);
    expect([started.at(-1), fetchLanes.active, fetchLanes.pauseMs]).toEqual(['f', 1, 500]);
    fetchLanes.slowDown(3000, time.now);
    await end('f');
    time.now = 3000;
    fetchLanes.start(always);
    expect([started.at(-1), fetchLanes.pauseMs]).toEqual(['g', 1000]);
  });

  it('hold a URL from its arrival until it is dropped, through all its stations', async () => {
    const { fetchLanes, end } = lanes({ count: 1 });
    fetchLanes.add(['a', 'b'].map(queued));
    expect([...fetchLanes.held].sort()).toEqual(['a', 'b']);
    fetchLanes.start(always);
    expect([...fetchLanes.held].sort()).toEqual(['a', 'b']);
    await end('a');
    expect([...fetchLanes.held].sort()).toEqual(['a', 'b']);
    expect(fetchLanes.oldestDone).toBe(1000);
    fetchLanes.dropDone(1);
    expect(fetchLanes.held).toEqual(['b']);
    expect(fetchLanes.oldestDone).toBeUndefined();
  });

  it('tell of an arrival, also of one that came before it was waited for', async () => {
    const { fetchLanes, end } = lanes({ count: 3 });
    fetchLanes.add(['a', 'b', 'c'].map(queued));
    fetchLanes.start(always);
    await end('a');
    await fetchLanes.arrival();
    let arrived = false;
    const next = fetchLanes.arrival().then(() => {
      arrived = true;
    });
    await settled();
    expect(arrived).toBe(false);
    await end('b');
    await next;
    expect(arrived).toBe(true);
  });

  it('throw at the next start what a visit threw, and wake who waits', async () => {
    const { fetchLanes, fail } = lanes();
    fetchLanes.add([queued('a')]);
    fetchLanes.start(always);
    const arrival = fetchLanes.arrival();
    fail('a', new Error('a fault of ours'));
    await arrival;
    expect(() => fetchLanes.start(always)).toThrow('a fault of ours');
    expect(fetchLanes.active).toBe(0);
  });

  it('lose none and double none, whatever comes when', async () => {
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

/** Takes the steps that can be taken; answers how many URLs were added, and which were dropped or are held at the end. */
async function ran(steps: readonly ('add' | 'start' | 'end' | 'drop')[], count: number) {
  const { fetchLanes, started, end } = lanes({ count });
  const dropped: string[] = [];
  let [added, ended] = [0, 0];
  const take = {
    add: () => fetchLanes.add([queued(String(added++))]),
    start: () => fetchLanes.start(always),
    end: () => (ended < started.length ? end(started[ended++] ?? '') : undefined),
    drop: () => {
      dropped.push(...fetchLanes.done.slice(0, 1).map((visit) => visit.queued.urlHash));
      fetchLanes.dropDone(1);
    },
  };
  for (const step of steps) {
    await take[step]();
    expect(fetchLanes.active).toBeLessThanOrEqual(count);
  }
  return { added, kept: [...dropped, ...fetchLanes.held].sort((a, b) => Number(a) - Number(b)) };
}
