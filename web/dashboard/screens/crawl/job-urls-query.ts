import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, LIVE_MS, type Schemas } from '../../api.ts';
import type { JobAddress } from './address.ts';

type JobUrls = {
  readonly pages: readonly Schemas['JobPage'][];
  readonly nextCursor: string | null;
  /** How many URLs were searched for a text. */
  readonly read?: number;
};

const LIMIT = 50;
const LARGEST = 200;
/** One step of a search for a text reads at most this many URLs. */
const MAX_READ = 20_000;

/** The URLs of a job by outcome, reason and a part of the address. Those of a running crawl are read again. */
export const jobUrlsQuery = (jobId: string, filter: JobAddress, isLive: boolean) =>
  queryOptions({
    queryKey: ['job', jobId, 'urls', filter],
    queryFn: ({ signal }) => (filter.q === undefined ? listed(jobId, filter, signal) : searched(jobId, filter, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && filter.q === undefined && filter.cursor === undefined ? 3 * LIVE_MS : false,
  });

async function listed(jobId: string, filter: JobAddress, signal: AbortSignal): Promise<JobUrls> {
  return call('GET /jobs/{jobId}/pages', { path: { jobId }, query: { ...queryOf(filter), limit: LIMIT }, signal });
}

/** The API finds whole URLs only, so the list is read until there are enough URLs that contain the text. */
async function searched(jobId: string, filter: JobAddress, signal: AbortSignal): Promise<JobUrls> {
  const text = (filter.q ?? '').toLowerCase();
  const pages: Schemas['JobPage'][] = [];
  let read = 0;
  let cursor = filter.cursor;
  do {
    const query = { ...queryOf({ ...filter, cursor }), limit: LARGEST };
    const part = await call('GET /jobs/{jobId}/pages', { path: { jobId }, query, signal });
    pages.push(...part.pages.filter(({ url }) => readable(url).includes(text)));
    read += part.pages.length;
    cursor = part.nextCursor ?? undefined;
  } while (cursor !== undefined && pages.length < LIMIT && read < MAX_READ);
  return { pages, nextCursor: cursor ?? null, read };
}

/** As the text was typed: `/straße` is in a URL in its encoded form. */
function readable(url: string): string {
  try {
    return `${url} ${decodeURI(url)}`.toLowerCase();
  } catch {
    return url.toLowerCase();
  }
}

const queryOf = ({ outcome, reason, cursor }: Partial<JobAddress>) => ({
  ...(outcome && { outcome }),
  ...(reason && { reason }),
  ...(cursor !== undefined && { cursor }),
});
