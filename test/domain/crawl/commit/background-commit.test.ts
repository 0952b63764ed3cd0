import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PAGES_PER_COMMIT } from '../../../../lambdas/domain/crawl/commit/write-batch.ts';
import { UnavailableError } from '../../../../lambdas/domain/errors.ts';
import type { Embedder } from '../../../../lambdas/domain/ports/embedder.ts';
import type { Change, Table } from '../../../../lambdas/domain/ports/table.ts';
import { embedder as builtin, crawlHere, newSite, systemTime } from '../../../support/crawl-here.ts';
import { table } from '../../../support/memory/stores.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

const NAMES = Array.from({ length: 3 * PAGES_PER_COMMIT }, (_, n) => `/page-${n}`);
const URLS = NAMES.length + 1;
/** Long enough for the next batch to be prepared; a test that waits so long in vain fails. */
const LONG_MS = 2000;

const registersPages = (changes: readonly Change[]): boolean =>
  changes.filter((change) => 'put' in change && change.put.pending === true).length > 1;

describe('while a batch of pages is being written', () => {
  let web: MemorySite;
  let embedder: Embedder;
  /** The titles of each batch that was embedded. */
  let embedded: (readonly string[])[];
  /** Resolves when a batch is embedded after the first one that is written with a write that waits. */
  let nextEmbedded: PromiseWithResolvers<'embedded'>;

  beforeEach(() => {
    embedded = [];
    nextEmbedded = Promise.withResolvers();
    embedder = {
      ...builtin,
      embedTexts: (texts) => {
        embedded.push(texts.map(({ text }) => text.slice(0, text.indexOf('\n'))));
        if (isHeld) nextEmbedded.resolve('embedded');
        return builtin.embedTexts(texts);
      },
    };
    isHeld = false;
  });

  let isHeld: boolean;
  /** A table whose first write of several pages takes until `then` has ended. */
  const heldTable = (then: () => Promise<void>): Table => {
    let isFirst = true;
    return {
      ...table,
      write: async (changes) => {
        if (isFirst && registersPages(changes)) {
          isFirst = false;
          isHeld = true;
          await then();
        }
        return table.write(changes);
      },
    };
  };
  const serve = async (textOf: (name: string) => string) => {
    web = memorySite(Object.fromEntries(NAMES.map((name) => [name, htmlPage(name, textOf(name))])));
    web.pages.set('/', htmlPage('Start', 'Where it starts.', NAMES));
    return newSite(`${web.origin}/`);
  };

  it('the next batch is embedded while one is written', async () => {
    const site = await serve((name) => `All about ${name}.`);
    let first: 'embedded' | 'waited in vain' | undefined;
    const store = heldTable(async () => {
      first = await Promise.race([nextEmbedded.promise, delay(LONG_MS, 'waited in vain' as const)]);
    });
    const { job } = await crawlHere(site, { table: store, embedder, ...systemTime });
    expect(first).toBe('embedded');
    expect(job).toMatchObject({ status: 'completed', indexed: URLS });
    expect(embedded.flat().toSorted()).toEqual(['Start', ...NAMES].toSorted());
  });

  it('a page with the same text as one of the batch waits for it, and is a duplicate', async () => {
    const site = await serve((name) => `One of ${Number(name.slice('/page-'.length)) % PAGES_PER_COMMIT} texts.`);
    const { job, ends } = await crawlHere(site, { table: heldTable(() => delay(100)), embedder, ...systemTime });
    expect(job).toMatchObject({ indexed: 1 + PAGES_PER_COMMIT, fetches: URLS });
    const kept = Object.keys(ends).filter((url) => ends[url] === 'indexed 200');
    const shortest = NAMES.slice(0, PAGES_PER_COMMIT);
    expect(kept.toSorted()).toEqual(['/', ...shortest].map((path) => web.origin + path).toSorted());
  });

  it('a batch that fails is written before the next one, which was embedded already', async () => {
    const site = await serve((name) => `All about ${name}.`);
    const store = heldTable(async () => {
      await Promise.race([nextEmbedded.promise, delay(LONG_MS)]);
      throw new UnavailableError('the table is down');
    });
    const { job } = await crawlHere(site, { table: store, embedder, ...systemTime });
    expect(job).toMatchObject({ status: 'completed', indexed: URLS, fetches: URLS });
    const [start, first, next, again, nextAgain] = embedded;
    expect(start).toEqual(['Start']);
    expect(again).toEqual(first);
    expect(nextAgain).toEqual(next);
  });
});
