import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { reviewsQuery, type Schemas, siteQuery } from '../../api.ts';
import { Card, Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/fault.tsx';
import { Pager } from '../../components/pager.tsx';
import { ScreenHeader } from '../../components/screen-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../formats.ts';
import { useReviewTexts } from '../../texts/reviews.ts';
import { ReviewState, SweepWords } from './review-state.tsx';

const route = getRouteApi('/sites/$siteId/reviews');

/** The removals of a site that wait for a decision, and the earlier ones. */
export function ReviewsScreen() {
  const t = useReviewTexts();
  const { siteId } = route.useParams();
  const { cursor } = route.useSearch();
  const navigate = useNavigate();
  const site = useQuery(siteQuery(siteId));
  const query = useQuery(reviewsQuery(siteId, cursor));
  return (
    <>
      <ScreenHeader title={t.title} lead={site.data ? `${site.data.name} · ${t.lead}` : t.lead} />
      <Stack>
        <p>{t.explain}</p>
        <Card>
          <Loaded query={query} skeleton={<Skeleton of="rows" lines={4} />}>
            {({ reviews, nextCursor }) =>
              reviews.length === 0 ? (
                <Empty title={t.empty}>{t.emptyText}</Empty>
              ) : (
                <Stack>
                  <ReviewTable reviews={reviews} />
                  <Pager
                    cursor={cursor}
                    nextCursor={nextCursor}
                    onMove={(next) =>
                      void navigate({ to: '/sites/$siteId/reviews', params: { siteId }, search: { cursor: next } })
                    }
                  />
                </Stack>
              )
            }
          </Loaded>
        </Card>
      </Stack>
    </>
  );
}

function ReviewTable({ reviews }: { readonly reviews: readonly Schemas['Review'][] }) {
  const t = useReviewTexts();
  const { number, percent } = useFormats();
  const columns: readonly Column<Schemas['Review']>[] = [
    {
      name: t.found,
      value: ({ siteId, reviewId, createdAt }) => (
        <Link to="/sites/$siteId/reviews/$reviewId" params={{ siteId, reviewId }}>
          <Time seconds={createdAt} />
        </Link>
      ),
    },
    { name: t.state, value: ({ status }) => <ReviewState status={status} /> },
    { name: t.pages, kind: 'number', value: ({ urlCount }) => number(urlCount) },
    { name: t.share, kind: 'number', value: ({ share }) => percent(share) },
    { name: t.decided, value: ({ decidedAt }) => decidedAt !== null && <Time seconds={decidedAt} /> },
    { name: t.result, value: ({ sweep }) => sweep && <SweepWords sweep={sweep} /> },
  ];
  return <Table caption={t.title} columns={columns} rows={reviews} keyOf={({ reviewId }) => reviewId} />;
}
