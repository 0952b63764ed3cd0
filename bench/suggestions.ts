import { pageIndex } from '#adapters/page-index';
import { indexEntries } from '../lambdas/domain/pages/index-entry.ts';
import type { Embedder } from '../lambdas/domain/ports/embedder.ts';
import { suggest } from '../lambdas/domain/search/suggest.ts';
import { prepareSearchIndex } from '../local/server/search-index.ts';
import { newScope } from '../test/support/index-entries.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { report } from './support/figures.ts';
import { siteOf } from './support/relevance-search.ts';
import { retryWhileBusy } from './support/retry-while-busy.ts';
import { readManual, variedPages } from './support/varied-manual.ts';

/*
 * Measures suggestions on a site of 10,000 pages (or PAGES), for each beginning of a title, correct and with a wrong
 * letter.
 */

const PAGES = Number(process.env.PAGES ?? 10_000);
const PAGES_AT_ONCE = 100;
const CHUNKS = 2;
const MAX_TYPED_LENGTH = 18;
const MIN_MISTYPED_LENGTH = 5;
const [WARM_UP, TITLES, STEP] = [20, 80, 37];

const row = { revision: 1, contentHash: '', crawledAt: '2026-01-01T00:00:00.000Z' };
const withoutVectors: Embedder = {
  space: 'none',
  dimensions: 1,
  embedTexts: async (texts) => texts.map(() => undefined),
  embedQuery: async () => undefined,
};
const close = await openLocalStore();
await prepareSearchIndex();
try {
  const scope = newScope();
  const titles = await fill(scope);
  const site = siteOf(scope, ['en']);
  const times: number[] = [];
  const processor: number[] = [];
  let empty = 0;
  let titled = 0;
  for (let n = 0; n < WARM_UP + TITLES; n++) {
    const title = titles[(n * STEP) % titles.length] ?? '';
    for (const text of typed(title)) {
      const [started, before] = [performance.now(), process.threadCpuUsage()];
      const { suggestions } = await suggest([site], text, pageIndex);
      if (n < WARM_UP) continue;
      times.push(performance.now() - started);
      const { user, system } = process.threadCpuUsage(before);
      processor.push((user + system) / 1000);
      if (suggestions.length === 0) empty++;
      if (suggestions.some((found) => found.text.endsWith(title))) titled++;
    }
  }
  const quantiles = (all: readonly number[]) => {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2));
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  };
  report({
    [`suggestions, ${PAGES} pages`]: {
      count: times.length,
      ...quantiles(times),
      'share without any': Number((empty / times.length).toFixed(3)),
      'share with the title': Number((titled / times.length).toFixed(3)),
    },
    'processor ms': quantiles(processor),
  });
} finally {
  await close();
}

async function fill(scope: ReturnType<typeof newScope>): Promise<readonly string[]> {
  const pages = variedPages(readManual());
  const titles: string[] = [];
  while (titles.length < PAGES) {
    const drafts = Array.from({ length: PAGES_AT_ONCE }, () => pages.next().value).flatMap((content, i) => {
      if (!content) return [];
      const urlHash = `${titles.length + i}`;
      const url = `https://docs.example/${urlHash}`;
      return [{ ...scope, content, row: { ...row, urlHash, url } }];
    });
    const entries = await indexEntries(drafts, withoutVectors);
    const visible = titles.length + PAGES_AT_ONCE < PAGES ? 'soon' : 'now';
    const short = entries.map((entry) => ({ ...entry, chunks: entry.chunks.slice(0, CHUNKS) }));
    await retryWhileBusy(() => pageIndex.put(short, { visible }));
    titles.push(...drafts.map(({ content }) => content.title.replace(/^(?:[\dA-Z]+\.)+ /, '')));
  }
  return titles;
}

function typed(title: string): readonly string[] {
  return Array.from({ length: Math.min(MAX_TYPED_LENGTH, title.length) }, (_, i) => title.slice(0, i + 1)).flatMap(
    (text) => (text.length < MIN_MISTYPED_LENGTH ? [text] : [text, `${text.slice(0, 2)}x${text.slice(3)}`]),
  );
}
