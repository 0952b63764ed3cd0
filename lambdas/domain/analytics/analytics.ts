import type { Clock } from '../clock.ts';
import type { CountedQuery, DayCounts, EventReader, EventScope, Period, QueryOrder } from '../ports/event-log.ts';
import { daysOf, periodOf } from '../ports/rules/days.ts';
import { type Counts, NO_COUNTS, sumOf } from '../ports/rules/event-counts.ts';
import type { TableReader } from '../ports/table.ts';
import type { Caller } from '../sites/access/api-key.ts';
import { ownSite, sitesOf } from '../sites/site.ts';
import { agentsOf } from './agent-events.ts';

export type FigureDeps = { readonly table: TableReader; readonly eventLog: EventReader; readonly clock: Clock };

const LISTED_QUERIES = 10;

/** Returns the counts of an organisation, or of one of its sites, over a range of days such as `30d`. */
export async function analytics(
  { range, siteId }: { readonly range: string; readonly siteId?: string | undefined },
  { orgId }: Pick<Caller, 'orgId'>,
  { table, eventLog, clock }: FigureDeps,
) {
  const period = periodOf(range, clock);
  const sites = siteId === undefined ? await sitesOf(orgId, table) : [await ownSite(siteId, orgId, table)];
  const scope = { orgId, siteId };
  const top = (by: QueryOrder) => topQueries(eventLog.queries(scope, period, { by, limit: LISTED_QUERIES }), by);
  const [agents, days, ofSites, topQueriesBySearches, emptyQueries, refusedQuestions] = await Promise.all([
    agentFigures(agentsOf(scope), period, eventLog),
    eventLog.days(scope, period),
    eventLog.sites(orgId, period),
    top('searches'),
    top('emptySearches'),
    top('refusedChats'),
  ]);
  const totals = sumOf(days);
  const countsOf = new Map(ofSites.map((counts) => [counts.siteId, counts]));
  const siteBreakdown = sites.map(({ settings, state }) => {
    const { searches, chats } = countsOf.get(settings.siteId) ?? NO_COUNTS;
    return { id: settings.siteId, name: settings.name, pagesIndexed: state.pageCount, searches, chats };
  });
  return {
    totalSearches: totals.searches,
    totalChats: totals.chats,
    totalPagesIndexed: siteBreakdown.reduce((sum, { pagesIndexed }) => sum + pagesIndexed, 0),
    topQueries: topQueriesBySearches,
    siteBreakdown,
    dailyUsage: dailyUsage(days, period),
    dailyOutcomes: dailyOutcomes(days, period),
    zeroResults: { searches: totals.emptySearches, queries: emptyQueries },
    clicks: clickFigures(totals),
    refusals: { chats: totals.refusedChats, questions: refusedQuestions },
    feedback: { helpful: totals.helpful, unhelpful: totals.unhelpful },
    savedTokens: totals.savedTokens,
    agents,
  };
}

/** Returns what AI agents did, which no other figure contains. */
async function agentFigures(scope: EventScope, period: Period, eventLog: EventReader) {
  const by = 'searches';
  const [days, queries] = await Promise.all([
    eventLog.days(scope, period),
    topQueries(eventLog.queries(scope, period, { by, limit: LISTED_QUERIES }), by),
  ]);
  const { searches, emptySearches, clicks, chats, helpful, unhelpful } = sumOf(days);
  return {
    searches,
    noResults: emptySearches,
    pagesRead: clicks,
    answers: chats,
    helpful,
    unhelpful,
    topQueries: queries,
  };
}

/** Returns one row for each day of the period, oldest first. */
export function dailyUsage(days: readonly DayCounts[], period: Period) {
  const byDay = new Map(days.map((counts) => [counts.day, counts]));
  return daysOf(period).map((date) => {
    const { searches, chats } = byDay.get(date) ?? NO_COUNTS;
    return { date, searches, chats };
  });
}

function dailyOutcomes(days: readonly DayCounts[], period: Period) {
  const byDay = new Map(days.map((counts) => [counts.day, counts]));
  return daysOf(period).map((date) => {
    const counts = byDay.get(date) ?? NO_COUNTS;
    const { emptySearches: zeroResults, clicks, refusedChats: refusals, helpful, unhelpful } = counts;
    return { date, zeroResults, clicks, meanPosition: meanPosition(counts), refusals, helpful, unhelpful };
  });
}

export const topQueries = async (queries: Promise<readonly CountedQuery[]>, by: QueryOrder) =>
  (await queries).map(({ query, [by]: count }) => ({ query, count }));

/** Cuts the rate at 1, because a search whose results are clicked twice counts two clicks. */
const clickFigures = (counts: Counts) => ({
  total: counts.clicks,
  rate: counts.searches === 0 ? null : Math.min(1, counts.clicks / counts.searches),
  meanPosition: meanPosition(counts),
});

const meanPosition = ({ clicks, clickPositions }: Counts): number | null =>
  clicks === 0 ? null : clickPositions / clicks;
