import { type Clock, epochSeconds } from '../../clock.ts';
import { type CrawlJob, readJob } from '../../crawl/jobs/job.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexReader } from '../../ports/index-reader.ts';
import type { PageStoreReader } from '../../ports/page-store.ts';
import type { Table } from '../../ports/table.ts';
import { facetsInIndex, facetsOf } from '../../search/results/facet-counts.ts';
import { scopesOf } from '../../search/searched-site.ts';
import { readSite, type SiteRecord } from '../../sites/site.ts';
import { meteredEmbedder } from '../../sites/usage/metered-embedder.ts';
import { Findings } from './finding.ts';
import { isChecked, type LanguageCount, storeHealth } from './health.ts';
import { findInPages } from './page-findings.ts';
import { sampleSize, selfCheck } from './self-check.ts';
import { findInUrls } from './url-findings.ts';

/** Maximum number of rows read in one check, of a crawl's URLs and again of the registry: about 20 seconds in AWS. */
const MAX_ROWS = 200_000;

export type HealthDeps = {
  readonly table: Table;
  readonly pageStore: PageStoreReader;
  readonly index: IndexReader;
  readonly embedder: Embedder;
  readonly clock: Clock;
};

/** Checks the health of a site after a crawl. May be repeated. Does nothing if a newer crawl has ended. */
export async function checkHealth(
  { siteId, jobId }: Pick<CrawlJob, 'siteId' | 'jobId'>,
  { table, pageStore, index, embedder, clock }: HealthDeps,
): Promise<void> {
  const [site, job] = await Promise.all([readSite(siteId, table), readJob(jobId, table)]);
  const isNewest = site?.state.lastCrawl?.jobId === jobId;
  if (!site || !job || !isNewest || (await isChecked(job, table))) return;
  const scope = { siteId, generation: site.state.generation };
  const findings = new Findings();
  const urls = await findInUrls(job, findings, MAX_ROWS, table);
  const limits = { most: MAX_ROWS, sampleSize: sampleSize(embedder), seed: jobId };
  const { pages, sample } = await findInPages(scope, findings, limits, table);
  const isPartial = urls >= MAX_ROWS || pages >= MAX_ROWS;
  const paying = meteredEmbedder(embedder, job.orgId, { table, clock });
  const health = {
    jobId,
    checkedAt: epochSeconds(clock),
    pages,
    urls,
    findings: findings.list(),
    ...(isPartial && { isPartial: true as const }),
    languages: await languagesOf(site, index),
    selfCheck: await selfCheck(sample, site, { index, embedder: paying, pageStore }),
  };
  await storeHealth(siteId, health, table);
}

async function languagesOf(site: SiteRecord, index: IndexReader): Promise<readonly LanguageCount[]> {
  const [facet] = await facetsInIndex(
    facetsOf([site.settings], ['language']),
    scopesOf([{ site, filters: [] }]),
    index,
  );
  const values = facet?.type === 'string' ? facet.values : [];
  return values.map(({ value, count }) => ({ language: value, pages: count }));
}
