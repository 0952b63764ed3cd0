import { type CrawlJob, jobKey } from '../../lambdas/domain/crawl/jobs/job.ts';
import type { RegisteredPage } from '../../lambdas/domain/pages/page-registry.ts';
import type { IndexEntry } from '../../lambdas/domain/ports/page-index.ts';
import type { StoredPage } from '../../lambdas/domain/ports/page-store.ts';
import { languageField, type SiteState, stateKey } from '../../lambdas/domain/sites/site.ts';
import { chunkPage } from '../../lambdas/text/chunking/chunks.ts';
import { checkAliases } from './alias-invariants.ts';
import { jobUrlRows } from './job-invariants.ts';
import type { Simulation } from './simulation.ts';

const PAGE_ROW = /^G#\d{8}#PAGE#/;

/** Invariants of a site at the end of a run: no job locks it, and registry, texts and index agree. */
export function checkSite(siteId: string, simulation: Simulation): void {
  const state = simulation.table.get(stateKey(siteId)) as unknown as SiteState | undefined;
  if (state) checkLivingSite({ siteId, generation: state.generation }, state, simulation);
  else checkNothingLeft(siteId, simulation);
}

function checkLivingSite({ siteId, generation }: SiteGeneration, state: SiteState, simulation: Simulation): void {
  if (state.runningJobId !== null) simulation.report(`the site is locked by ${state.runningJobId}`);
  for (const { sk } of simulation.table.under('RUNNING')) simulation.report(`${sk} is listed as running`);
  const rows = simulation.table
    .under(`SITE#${siteId}`, 'G#')
    .filter(({ sk }) => PAGE_ROW.test(sk))
    .map((row) => row as unknown as RegisteredPage);
  if (rows.length !== state.pageCount)
    simulation.report(`the site counts ${state.pageCount} pages, but there are ${rows.length}`);
  const lastJob = simulation.table.get(jobKey(state.lastCrawl?.jobId ?? '')) as unknown as CrawlJob | undefined;
  for (const row of rows) checkPage(row, { siteId, generation }, simulation);
  if (lastJob) checkCounted(rows, lastJob, simulation);
  if (lastJob?.endReason === 'done') checkAliases(rows, lastJob, { siteId, generation }, simulation);
  const urls = new Set(rows.map(({ url }) => url));
  for (const { url, language = '' } of simulation.pageIndex.of(siteId)) {
    if (!urls.has(url)) simulation.report(`${url} is indexed and not registered`);
    if (lastJob?.endReason === 'done' && !(languageField(language) in state))
      simulation.report(`the site does not list the language ${language} of ${url}`);
  }
}

/** Whatever ended a job: what it has written, it counts. */
function checkCounted(rows: readonly RegisteredPage[], { jobId, status }: CrawlJob, simulation: Simulation): void {
  const outcomes = new Map(jobUrlRows(jobId, simulation).map(({ url, outcome }) => [url, outcome]));
  for (const { url, lastJobId } of rows)
    if (lastJobId === jobId && outcomes.get(url) === undefined)
      simulation.report(`${jobId} (${status}) has written ${url}, which it says it has not visited`);
}

export type SiteGeneration = { readonly siteId: string; readonly generation: number };

function checkPage(row: RegisteredPage, site: SiteGeneration, simulation: Simulation): void {
  const { url, urlHash, revision, pending = false } = row;
  const entry = simulation.pageIndex.get({ ...site, urlHash });
  const indexed = entry?.revision;
  if (pending) simulation.report(`${url} stays pending`);
  const text = simulation.pageStore.get({ ...site, urlHash, revision });
  if (!text) simulation.report(`${url} has no text at revision ${revision}`);
  else if (entry === undefined || entry.revision > revision || !isOf(entry, text))
    simulation.report(`${url} is registered at revision ${revision} but indexed at ${indexed}`);
  else if (`${entry.aliases}` !== `${row.aliases?.urls ?? []}`)
    simulation.report(`${url} has the aliases ${row.aliases?.urls} but is indexed with ${entry.aliases}`);
}

/** If only the links of a page have changed, its text has a higher revision than its entry. */
const isOf = ({ title, chunks }: IndexEntry, page: StoredPage): boolean => {
  const texts = chunkPage(page.blocks).map(({ text }) => text);
  return title === page.title && JSON.stringify(chunks.map(({ text }) => text)) === JSON.stringify(texts);
};

function checkNothingLeft(siteId: string, simulation: Simulation): void {
  for (const pk of simulation.table.partitions)
    if (pk !== 'ORGS' && !pk.startsWith('ORG#'))
      simulation.report(`left in the table: ${simulation.table.under(pk).map(({ sk }) => `${pk} ${sk}`)}`);
  for (const { urlHash, revision } of simulation.pageStore.of(siteId))
    simulation.report(`left in the page store: ${urlHash} ${revision}`);
  for (const { url, revision } of simulation.pageIndex.of(siteId))
    simulation.report(`left in the index: ${url} ${revision}`);
}
