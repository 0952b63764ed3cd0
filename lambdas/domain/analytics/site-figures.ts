import type { Report } from '../errors.ts';
import { periodOf } from '../ports/rules/days.ts';
import { sumOf } from '../ports/rules/event-counts.ts';
import type { Caller } from '../sites/access/api-key.ts';
import { ownSite } from '../sites/site.ts';
import { dailyUsage, type FigureDeps, topQueries } from './analytics.ts';

/** Returns the searches, chats and tokens of a site by day; all are 0 while the event log does not answer. */
export async function siteUsage(
  siteId: string,
  range: string,
  { orgId }: Pick<Caller, 'orgId'>,
  { table, eventLog, clock, report }: FigureDeps & { readonly report: Report },
) {
  await ownSite(siteId, orgId, table);
  const period = periodOf(range, clock);
  const days = await eventLog.days({ orgId, siteId }, period).catch((error: unknown) => {
    report('the usage of a site is answered as 0, because the event log does not answer', error);
    return [];
  });
  const { searches, chats, tokens: totalTokens } = sumOf(days);
  return { siteId, range, searches, chats, totalTokens, daily: dailyUsage(days, period) };
}

/** Returns the most frequent searches of a site. */
export async function siteTopQueries(
  siteId: string,
  { range, limit }: { readonly range: string; readonly limit: number },
  { orgId }: Pick<Caller, 'orgId'>,
  { table, eventLog, clock }: FigureDeps,
) {
  await ownSite(siteId, orgId, table);
  const by = 'searches';
  const found = eventLog.queries({ orgId, siteId }, periodOf(range, clock), { by, limit });
  return { siteId, range, topQueries: await topQueries(found, by) };
}
