import type { CrawlJob } from '../../crawl/jobs/job.ts';
import type { Item, Key, Table, TableReader } from '../../ports/table.ts';
import { ownSite, settingsKey } from '../../sites/site.ts';
import { FINDINGS, type Finding } from './finding.ts';
import type { SelfCheck } from './self-check.ts';

export type LanguageCount = { readonly language: string; readonly pages: number };

/** The result of a check after one crawl. */
export type Health = {
  readonly jobId: string;
  /** Epoch seconds. */
  readonly checkedAt: number;
  readonly pages: number;
  readonly urls: number;
  /** Whether the site has more pages or URLs than a check reads. */
  readonly isPartial?: boolean;
  readonly findings: readonly Finding[];
  readonly languages: readonly LanguageCount[];
  readonly selfCheck: SelfCheck;
};

export type HealthPoint = Pick<Health, 'jobId' | 'checkedAt' | 'pages'> & Pick<SelfCheck, 'byTitle' | 'byHeading'>;
type HealthItem = Health & { readonly history: readonly HealthPoint[] };

/** Number of crawls whose self-check results are kept. */
const MAX_POINTS = 50;

const healthKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'HEALTH' });

/** Stores the health of the newest crawl, unless the site has been deleted. May be repeated. */
export async function storeHealth(siteId: string, health: Health, table: Table): Promise<void> {
  const before = await table.get<HealthItem & Item>(healthKey(siteId));
  const { jobId, checkedAt, pages, selfCheck } = health;
  const point = { jobId, checkedAt, pages, byTitle: selfCheck.byTitle, byHeading: selfCheck.byHeading };
  const others = (before?.history ?? []).filter((one) => one.jobId !== jobId);
  const history = [point, ...others].slice(0, MAX_POINTS);
  await table.write([
    { check: settingsKey(siteId), when: { exists: true } },
    { put: { ...healthKey(siteId), ...health, history } },
  ]);
}

export const isChecked = async (job: Pick<CrawlJob, 'siteId' | 'jobId'>, table: Table): Promise<boolean> =>
  (await table.get<Health & Item>(healthKey(job.siteId)))?.jobId === job.jobId;

/** Returns the health after the last completed crawl; without a jobId if there was none. */
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
