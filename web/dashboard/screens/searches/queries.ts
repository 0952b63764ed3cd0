import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type Output, queryClient } from '../../api.ts';
import type { Range } from './address.ts';

export type Analytics = Output<'GET /analytics'>;
export type Gaps = Output<'GET /sites/{siteId}/content-gaps'>['gaps'];
export type TopQuery = Analytics['topQueries'][number];

const FIGURES_MS = 30_000;

export const analyticsQuery = (siteId: string, range: Range) =>
  queryOptions({
    queryKey: ['site', siteId, 'analytics', range],
    queryFn: ({ signal }) => call('GET /analytics', { query: { range, siteId }, signal }),
    staleTime: FIGURES_MS,
    placeholderData: keepPreviousData,
  });

export const usageQuery = (siteId: string, range: Range) =>
  queryOptions({
    queryKey: ['site', siteId, 'usage', range],
    queryFn: ({ signal }) => call('GET /sites/{siteId}/usage', { path: { siteId }, query: { range }, signal }),
    staleTime: FIGURES_MS,
  });

export const topQueriesQuery = (siteId: string, range: Range, limit: number) =>
  queryOptions({
    queryKey: ['site', siteId, 'top-queries', range, limit],
    queryFn: ({ signal }) =>
      call('GET /sites/{siteId}/top-queries', { path: { siteId }, query: { range, limit }, signal }),
    staleTime: FIGURES_MS,
    placeholderData: keepPreviousData,
  });

export const gapsQuery = (siteId: string, range: Range) =>
  queryOptions({
    queryKey: ['site', siteId, 'content-gaps', range],
    queryFn: ({ signal }) =>
      call('GET /sites/{siteId}/content-gaps', { path: { siteId }, query: { range, limit: 100 }, signal }),
    staleTime: FIGURES_MS,
    placeholderData: keepPreviousData,
  });

export type Scored = TopQuery & {
  /** Of the best page, as a search finds it now; undefined if no page has anything of the query. */
  readonly score: number | undefined;
  readonly page: { readonly title: string; readonly url: string } | undefined;
};

/** As many of the most frequent queries are searched for. */
export const SCORED_QUERIES = 50;
const AT_ONCE = 4;
const SCORES_MS = 300_000;

/** Searches now for the most frequent queries. These searches are not counted. */
export const scoresQuery = (siteId: string, range: Range, onProgress: (share: number) => void) =>
  queryOptions({
    queryKey: ['site', siteId, 'scores', range],
    queryFn: async ({ signal }) => {
      const { topQueries } = await queryClient.fetchQuery(topQueriesQuery(siteId, range, SCORED_QUERIES));
      const scored: Scored[] = [];
      for (let first = 0; first < topQueries.length; first += AT_ONCE) {
        const some = topQueries.slice(first, first + AT_ONCE);
        scored.push(...(await Promise.all(some.map((query) => scoreOf(siteId, query, signal)))));
        onProgress(scored.length / topQueries.length);
      }
      return scored;
    },
    staleTime: SCORES_MS,
  });

async function scoreOf(siteId: string, top: TopQuery, signal: AbortSignal): Promise<Scored> {
  const body = { query: top.query, limit: 1, minScore: 0 };
  const { results } = await call('POST /sites/{siteId}/preview', { path: { siteId }, body, signal });
  const [best] = results;
  return { ...top, score: best?.score, page: best && { title: best.title, url: best.url } };
}
