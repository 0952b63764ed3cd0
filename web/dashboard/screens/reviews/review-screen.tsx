import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { call, LIVE_MS, type Schemas, siteQuery } from '../../api.ts';
import { Card, Stack } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/fault.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../formats.ts';
import { useReviewTexts } from '../../texts/reviews.ts';
import { DecisionButtons } from './decision-buttons.tsx';
import { ReviewState, SweepWords } from './review-state.tsx';
import { ReviewUrls } from './review-urls.tsx';

const route = getRouteApi('/sites/$siteId/reviews/$reviewId');

/** One removal: what would go, and the decision. */
export function ReviewScreen() {
  const t = useReviewTexts();
  const { number } = useFormats();
  const { siteId, reviewId } = route.useParams();
  const address = route.useSearch();
  const site = useQuery(siteQuery(siteId));
  const query = useQuery({
    queryKey: ['site', siteId, 'reviews', reviewId, { cursor: address.cursor }],
    queryFn: ({ signal }) =>
      call('GET /sites/{siteId}/reviews/{reviewId}', {
        path: { siteId, reviewId },
        query: address.cursor === undefined ? {} : { cursor: address.cursor },
        signal,
      }),
    refetchInterval: ({ state: { data } }) => (data?.sweep?.status === 'running' ? LIVE_MS : false),
  });
  const review = query.data;
  const count = review && number(review.urlCount);
  const title =
    count === undefined ? t.title : review?.status === 'pending' ? t.reviewTitle(count) : t.closedTitle(count);
  return (
    <>
      <ScreenHeader
        title={title}
        lead={
          <>
            {site.data?.name ?? '…'} ·{' '}
            <Link to="/sites/$siteId/reviews" params={{ siteId }}>
              {t.title}
            </Link>
          </>
        }
        actions={review?.status === 'pending' && <DecisionButtons review={review} />}
      />
      <Loaded query={query} skeleton={<Skeleton of="block" lines={3} />}>
        {(data) => (
          <Stack>
            <StateCard review={data} />
            <ReviewUrls review={data} address={address} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function StateCard({ review }: { readonly review: Schemas['ReviewWithUrls'] }) {
  const t = useReviewTexts();
  const { number, percent } = useFormats();
  const { siteId, jobId, status, urlCount, share, createdAt, decidedAt, sweep } = review;
  return (
    <Card>
      <Stack>
        <div aria-live="polite">
          <Facts
            facts={[
              { name: t.state, value: <ReviewState status={status} /> },
              { name: t.pages, value: `${number(urlCount)} · ${t.ofShare(percent(share))}` },
              { name: t.found, value: <Time seconds={createdAt} /> },
              {
                name: t.crawlOfReview,
                value: (
                  <Link to="/sites/$siteId/crawl/$jobId" params={{ siteId, jobId }}>
                    {t.open}
                  </Link>
                ),
              },
              { name: t.decided, value: decidedAt !== null && <Time seconds={decidedAt} /> },
              { name: t.result, value: sweep && <SweepWords sweep={sweep} /> },
            ].filter(({ value }) => value !== false)}
          />
        </div>
        {status === 'pending' && (
          <ul>
            <li>{t.whatApprove}</li>
            <li>{t.whatReject}</li>
          </ul>
        )}
      </Stack>
    </Card>
  );
}
