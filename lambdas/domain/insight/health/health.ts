import type { CrawlJob } from '../../crawl/jobs/job.ts';
import type { Item, Key, Table, TableReader } from '../../ports/table.ts';
import { ownSite, settingsKey } from '../../sites/site.ts';
import { FINDINGS, type Finding } from './finding.ts';
import type { SelfCheck } from './self-check.ts';

export type LanguageCount = { readonly language: string; readonly pages: number };

/** What was found after one crawl. */
export type Health = {
  readonly jobId: string;
  /** Epoch seconds. */
  readonly checkedAt: number;
  readonly pages: number;
  readonly urls: number;
  /** The site has more pages or URLs than a check reads. */
  readonly isPartial?: boolean;
  readonly findings: readonly Finding[];
  readonly languages: readonly LanguageCount[];
  readonly selfCheck: SelfCheck;
};

export type HealthPoint = Pick<Health, 'jobId' | 'checkedAt' | 'pages'> & Pick<SelfCheck, 'byTitle' | 'byHeading'>;
type HealthItem = Health & { readonly history: readonly HealthPoint[] };

/** The number of crawls of which the shares of the self-check are kept. */
const MOST_POINTS = 50;

const healthKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'HEALTH' });

/**
 * Keeps the health of the newest crawl, unless the site was deleted meanwhile. Storing one twice has the effect of once.
 */
export async function storeHealth(siteId: string, health: Health, table: Table): Promise<void> {
  const before = await table.get<HealthItem & Item>(healthKey(siteId));
  const { jobId, checkedAt, pages, selfCheck } = health;
  const point = { jobId, checkedAt, pages, byTitle: selfCheck.byTitle, byHeading: selfCheck.byHeading };
  const others = (before?.history ?? []).filter((one) => one.jobId !== jobId);
  const history = [point, ...others].slice(0, MOST_POINTS);
  await table.write([
    { check: settingsKey(siteId), when: { exists: true } },
    { put: { ...healthKey(siteId), ...health, history } },
  ]);
}

export const isChecked = async (job: Pick<CrawlJob, 'siteId' | 'jobId'>, table: Table): Promise<boolean> =>
  (await table.get<Health & Item>(healthKey(job.siteId)))?.jobId === job.jobId;

/** The health after the last crawl that completed; without a jobId if there was none. */
export async function siteHealth(siteId: string, { orgId }: { readonly orgId: string }, table: TableReader) {
  await ownSite(siteId, orgId, table);
  const item = await table.get<HealthItem & Item>(healthKey(siteId));
  if (!item) return { siteId, checkedAt: null, findings: [], languages: [], history: [] };
  const { pk, sk, findings, ...health } = item;
  return { siteId, ...health, findings: findings.map(findingView) };
}

const findingView = ({ kind, ...finding }: Finding) => ({
  kind,
  what: FINDINGS[kind][0],
  advice: FINDINGS[kind][1],
  ...finding,
});
