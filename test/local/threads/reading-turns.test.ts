import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FetchedPage } from '../../../lambdas/text/fetched-page.ts';
import { ReadingTurns } from '../../../local/threads/reading-turns.ts';

const SLOW_MS = 700;

/** Reads one page after the other, as a thread does. */
function threadTo(read: string[]) {
  let last: Promise<void> = Promise.resolve();
  return ({ url }: FetchedPage): Promise<undefined> => {
    last = last.then(async () => {
      await delay(url.startsWith('slow') ? SLOW_MS : 1);
      read.push(url);
    });
    return last.then(() => undefined);
  };
}

describe('pages of several organisations', () => {
  let [quick, slow]: [string[], string[]] = [[], []];
  let turns: ReadingTurns;
  beforeEach(() => {
    [quick, slow] = [[], []];
    turns = new ReadingTurns(threadTo(quick), threadTo(slow));
  });
  const read = (url: string, orgId: string) => turns.read({ url, contentType: 'text/html', body: Buffer.of() }, orgId);
  const all = (urls: readonly string[], orgId: string) => urls.map((url) => read(url, orgId));

  it('pages are read in turn, those of one organisation in order', async () => {
    const pages = [...all(['a1', 'a2', 'a3', 'a4', 'a5'], 'a'), ...all(['b1', 'b2'], 'b'), read('c1', 'c')];
    await Promise.all(pages);
    expect(quick).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
  });

  it('pages go to another thread if those of their organisation are slow, and delay no other organisation', async () => {
    await read('x', 'x'); // the thread has started
    const hostile = all(['slow1', 'slow2', 'slow3', 'slow4', 'slow5'], 'h');
    const started = performance.now();
    await hostile[1];
    for (let n = 0; n < 20; n++) await read(`b${n}`, 'b');
    expect(performance.now() - started).toBeLessThan(3 * SLOW_MS);
    await Promise.all([...hostile, read('quick', 'h')]);
    expect(quick.filter((url) => url.startsWith('slow'))).toEqual(['slow1', 'slow2']);
    expect(slow).toEqual(['slow3', 'slow4', 'slow5', 'quick']);
  });

  it('pages fail when the reading is stopped', async () => {
    const pages = all(['slow1', 'slow2', 'c'], 'a');
    turns.stop();
    await expect(pages[2]).rejects.toThrow('stopped');
    await Promise.all(pages.slice(0, 2));
    expect(quick).toEqual(['slow1', 'slow2']);
  });
});
