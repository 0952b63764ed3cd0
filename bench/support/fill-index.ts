import { randomUUID } from 'node:crypto';
import { pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { embedder } from '../../lambdas/connectors/embedder/configured.ts';
import { indexEntries } from '../../lambdas/domain/pages/index-entry.ts';
import type { IndexEntry, SiteScope } from '../../lambdas/domain/ports/page-index.ts';
import { languageField, stateKey } from '../../lambdas/domain/sites/site.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { type Manual, variedPages } from './varied-manual.ts';

const PAGES_AT_ONCE = 50;

/**
 * Puts varied pages of the manual into the index of a site, without the network: at most this many pages and chunks,
 * and at most this many blocks of each page. Returns the numbers of pages and chunks, and the seconds of indexing.
 */
export async function fillIndex(
  { siteId, generation }: SiteScope,
  manual: Manual,
  { pages = Infinity, chunks = Infinity, blocksPerPage = Infinity },
): Promise<{ readonly pages: number; readonly chunks: number; readonly seconds: number }> {
  await table.update(stateKey(siteId), { set: { [languageField('en')]: true } });
  const left = { pages, chunks };
  const filled = { pages: 0, chunks: 0, seconds: 0 };
  const contents = variedPages(manual);
  while (left.pages > 0 && left.chunks > 0) {
    const batch = Array.from({ length: Math.min(PAGES_AT_ONCE, left.pages) }, () => contents.next().value);
    const made = await indexEntries(
      batch
        .filter((page) => page !== undefined)
        .map((page) => {
          const content = { ...page, blocks: page.blocks.slice(0, blocksPerPage) };
          const urlHash = randomUUID();
          const url = `https://manual.example/${urlHash}`;
          const row = { urlHash, url, revision: 1, contentHash: '', crawledAt: '2026-01-01T00:00:00.000Z' };
          return { siteId, generation, content, row };
        }),
      embedder,
    );
    const entries: IndexEntry[] = [];
    for (const entry of made) {
      const kept = entry.chunks.slice(0, left.chunks);
      if (kept.length > 0) entries.push({ ...entry, chunks: kept });
      left.chunks -= kept.length;
      filled.chunks += kept.length;
    }
    left.pages -= batch.length;
    filled.pages += entries.length;
    const started = performance.now();
    const visible = left.pages > 0 && left.chunks > 0 ? 'soon' : 'now';
    await retryWhileBusy(() => pageIndex.put(entries, { visible }));
    filled.seconds += (performance.now() - started) / 1000;
  }
  return filled;
}
