import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type Input, type Output } from '../../api.ts';

export type PreviewBody = Input<'POST /sites/{siteId}/preview'>['body'];
export type Preview = Output<'POST /sites/{siteId}/preview'>;
export type Result = Preview['results'][number];

/** A search, or a question, with boosts that may not be saved. It is not counted, and sent again only if it changes. */
export const previewQuery = (siteId: string, body: PreviewBody | undefined) =>
  queryOptions({
    queryKey: ['site', siteId, 'preview', body],
    queryFn: ({ signal }) =>
      call('POST /sites/{siteId}/preview', { path: { siteId }, body: body ?? { query: '' }, signal }),
    enabled: body !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  });
