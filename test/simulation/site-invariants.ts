import { chunkPage } from '../../lambdas/core/content/chunking/chunks.ts';
import { jobUrlKey } from '../../lambdas/core/crawl/frontier/frontier-rows.ts';
import { type CrawlJob, jobKey } from '../../lambdas/core/crawl/job/job.ts';
import type { RegisteredPage } from '../../lambdas/core/pages/page-registry.ts';
import type { StoredPage } from '../../lambdas/core/pages/stored-page.ts';
import type { IndexEntry } from '../../lambdas/core/ports/page-index.ts';
import { languageField, type SiteState, stateKey } from '../../lambdas/core/sites/site.ts';
import type { World } from './world.ts';

const PAGE_ROW = /^G#\d{8}#PAGE#/;

/** What must be true of a site once all is quiet: nobody holds it, and registry, texts and index tell the same. */
export function checkSite(siteId: string, world: World): void {
  const state = world.table.get(stateKey(siteId)) as unknown as SiteState | undefined;
  if (state) checkLivingSite({ siteId, generation: state.generation }, state, world);
  else checkNothingLeft(siteId, world);
}

function checkLivingSite({ siteId, generation }: SiteGeneration, state: SiteState, world: World): void {
  if (state.runningJobId !== null) world.report(`the site is held by ${state.runningJobId}`);
  for (const { sk } of world.table.under('RUNNING')) world.report(`${sk} is listed as running`);
  const rows = world.table
    .under(`SITE#${siteId}`, 'G#')
    .filter(({ sk }) => PAGE_ROW.test(sk))
    .map((row) => row as unknown as RegisteredPage);
  if (rows.length !== state.pageCount)
    world.report(`the site counts ${state.pageCount} pages, where there are ${rows.length}`);
  const lastJob = world.table.get(jobKey(state.lastCrawl?.jobId ?? '')) as unknown as CrawlJob | undefined;
  for (const row of rows) checkPage(row, { siteId, generation }, lastJob, world);
  const urls = new Set(rows.map(({ url }) => url));
  for (const { url, language = '' } of world.pageIndex.of(siteId)) {
    if (!urls.has(url)) world.report(`${url} is indexed and not registered`);
    if (lastJob?.endReason === 'done' && !(languageField(language) in state))
      world.report(`the site does not know of the language ${language} of ${url}`);
  }
}

type SiteGeneration = { readonly siteId: string; readonly generation: number };

/** A job that did not come to its end may leave pages half written; the next one writes them again. */
function checkPage(row: RegisteredPage, site: SiteGeneration, lastJob: CrawlJob | undefined, world: World): void {
  const { url, urlHash, revision, pending = false } = row;
  const entry = world.pageIndex.get({ ...site, urlHash });
  const indexed = entry?.revision;
  if (pending) {
    if (lastJob?.endReason === 'done' && wasHeld(lastJob, row, world))
      world.report(`${url} is pending after a job that is done`);
    if (indexed !== undefined && indexed > revision) world.report(`${url} is indexed beyond its registry row`);
    return;
  }
  const text = world.pageStore.get({ ...site, urlHash, revision });
  if (!text) world.report(`${url} has no text at revision ${revision}`);
  else if (entry === undefined || entry.revision > revision || !isOf(entry, text))
    world.report(`${url} is registered at revision ${revision} and indexed otherwise, at ${indexed}`);
}

/** Where only the links of a page have changed, its text has a higher revision than its entry. */
const isOf = ({ title, chunks }: IndexEntry, page: StoredPage): boolean => {
  const texts = chunkPage(page.blocks).map(({ text }) => text);
  return title === page.title && JSON.stringify(chunks.map(({ text }) => text)) === JSON.stringify(texts);
};

/** What a job that broke off left half written stays so where the page is not to be had any more, or is left to another. */
const wasHeld = ({ jobId }: CrawlJob, { urlHash }: RegisteredPage, { table }: World): boolean =>
  ['indexed', 'unchanged'].includes(String(table.get(jobUrlKey(jobId, urlHash))?.outcome));

function checkNothingLeft(siteId: string, world: World): void {
  for (const pk of world.table.partitions)
    if (!pk.startsWith('ORG#'))
      world.report(`left in the table: ${world.table.under(pk).map(({ sk }) => `${pk} ${sk}`)}`);
  for (const { urlHash, revision } of world.pageStore.of(siteId))
    world.report(`left in the page store: ${urlHash} ${revision}`);
  for (const { url, revision } of world.pageIndex.of(siteId)) world.report(`left in the index: ${url} ${revision}`);
}
