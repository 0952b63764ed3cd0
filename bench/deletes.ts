import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { deletePages } from '../lambdas/domain/pages/removal/delete-pages.ts';
import type { Embedder } from '../lambdas/domain/ports/embedder.ts';
import { BASE, IngestSite, textPage } from '../test/support/ingest-site.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { report } from './support/figures.ts';

/*
 * Measures a delete by a pattern that matches all of 100,000 pages (or PAGES), repeated until it is complete, as a
 * client does it. First measures a pattern that matches no page: the time for reading all rows.
 */

const PAGES = Number(process.env.PAGES ?? 100_000);
const PAGES_AT_ONCE = 100;
const MAX_CALLS = 100;

const withoutVectors: Embedder = {
  space: 'none',
  dimensions: 1,
  embedTexts: async (texts) => texts.map(() => undefined),
  embedQuery: async () => undefined,
};

const close = await openLocalStore();
try {
  const site = await IngestSite.open(Date.now, { table, queue, pageStore, pageIndex });
  const deps = site.deps({ embedder: withoutVectors });
  for (let from = 0; from < PAGES; from += PAGES_AT_ONCE) {
    const pages = Array.from({ length: PAGES_AT_ONCE }, (_, i) => pageOf(from + i));
    const { failed } = await site.ingest(pages, { embedder: withoutVectors }, 'enterprise');
    if (failed > 0) throw new Error(`${failed} pages failed`);
  }
  const remove = async (patterns: readonly string[]) => {
    let [calls, deleted, longest, complete] = [0, 0, 0, false];
    const started = performance.now();
    const processor = process.cpuUsage();
    while (!complete && calls < MAX_CALLS) {
      const before = performance.now();
      const answer = await deletePages({ siteId: site.siteId, patterns }, site, deps);
      longest = Math.max(longest, performance.now() - before);
      deleted += answer.deletedPages;
      complete = answer.complete;
      calls++;
    }
    const { user, system } = process.cpuUsage(processor);
    const seconds = (ms: number) => Number((ms / 1000).toFixed(1));
    const times = { s: seconds(performance.now() - started), 'longest call s': seconds(longest) };
    return { calls, 'deleted pages': deleted, ...times, 'processor s': seconds((user + system) / 1000) };
  };
  report({
    [`${PAGES} pages, a pattern that matches none`]: await remove([`${BASE}none/*`]),
    [`${PAGES} pages, a pattern that matches all`]: await remove([`${BASE}pages/*`]),
    'the site has now': { 'deleted pages': (await site.record()).state.pageCount },
  });
} finally {
  await close();
}

function pageOf(n: number): object {
  return textPage(`${BASE}pages/${n}`, `Page ${n} of the ship's log, about anchors and bells of the year ${n % 500}.`);
}
