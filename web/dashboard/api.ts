import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { type Admin, createAdmin, type Input, type Output } from '../../packages/client/src/admin.ts';
import type { components } from '../../packages/client/src/openapi.ts';
import { SearchError } from '../../packages/client/src/search-error.ts';
import { watchedFetch } from './connection.ts';
import { session, signOut } from './session.ts';

export type Schemas = components['schemas'];

const LOST_RETRY_MS = 3000;
const MAX_RETRIES = 3;

/** Calls an operation with the key of the session. Ends the session if the service refuses the key. */
export const call: Admin = async (operation, ...given) => {
  const current = session.get();
  if (!('key' in current)) throw new SearchError('unauthorized', 'Nobody is signed in.', { status: 401 });
  const admin = createAdmin({ api: location.origin, key: current.key, longestWait: 0, fetch: watchedFetch });
  try {
    return await admin(operation, ...given);
  } catch (error) {
    if (error instanceof SearchError && error.status === 401 && session.get() === current)
      signOut({ reason: 'refused', message: error.message });
    throw error;
  }
};

/** Reads are repeated while there is no connection, and as often as the service asks for it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      networkMode: 'always',
      retry: (count, error) => isLost(error) || (waitOf(error) !== undefined && count < MAX_RETRIES),
      retryDelay: (_, error) => (isLost(error) ? LOST_RETRY_MS : 1000 * (waitOf(error) ?? 1)),
    },
    mutations: { networkMode: 'always' },
  },
});

export const isLost = (error: unknown): boolean => error instanceof SearchError && error.code === 'unreachable';
const waitOf = (error: unknown): number | undefined => (error instanceof SearchError ? error.retryAfter : undefined);

/** The key of a query begins with the resource, so that `queryClient.invalidateQueries` can name all of a site. */
export const organisationQuery = () =>
  queryOptions({
    queryKey: ['organisation'],
    queryFn: ({ signal }) => call('GET /organisation', { signal }),
    staleTime: 60_000,
  });

export const sitesQuery = () =>
  queryOptions({ queryKey: ['sites'], queryFn: ({ signal }) => call('GET /sites', { signal }) });

export const siteQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['site', siteId],
    queryFn: ({ signal }) => call('GET /sites/{siteId}', { path: { siteId }, signal }),
  });

export const schedulesQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['site', siteId, 'schedules'],
    queryFn: ({ signal }) => call('GET /sites/{siteId}/schedules', { path: { siteId }, signal }),
  });

export const jobsQuery = (siteId: string, cursor = '', limit = 20) =>
  queryOptions({
    queryKey: ['site', siteId, 'jobs', { cursor, limit }],
    queryFn: ({ signal }) =>
      call('GET /sites/{siteId}/jobs', {
        path: { siteId },
        query: { limit, ...(cursor !== '' && { cursor }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** How long to wait before the state of a running crawl is read again, in milliseconds. */
export const LIVE_MS = 1000;

/** A crawl job, read again every second until it has ended. */
export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => call('GET /jobs/{jobId}', { path: { jobId }, signal }),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : LIVE_MS),
  });

export const hasEnded = ({ status }: Pick<Schemas['CrawlJob'], 'status'>): boolean =>
  status !== 'pending' && status !== 'running';

export type JobPagesFilter = Omit<NonNullable<Input<'GET /jobs/{jobId}/pages'>['query']>, 'limit'>;

export const jobPagesQuery = (jobId: string, filter: JobPagesFilter, limit = 50) =>
  queryOptions({
    queryKey: ['job', jobId, 'pages', filter, limit],
    queryFn: ({ signal }) => call('GET /jobs/{jobId}/pages', { path: { jobId }, query: { ...filter, limit }, signal }),
    placeholderData: keepPreviousData,
  });

export const healthQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['site', siteId, 'health'],
    queryFn: ({ signal }) => call('GET /sites/{siteId}/health', { path: { siteId }, signal }),
  });

export const reviewsQuery = (siteId: string, cursor = '') =>
  queryOptions({
    queryKey: ['site', siteId, 'reviews', { cursor }],
    queryFn: ({ signal }) =>
      call('GET /sites/{siteId}/reviews', { path: { siteId }, query: cursor === '' ? {} : { cursor }, signal }),
    placeholderData: keepPreviousData,
  });

export type { Input, Output };
