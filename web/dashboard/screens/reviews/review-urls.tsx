import { Link, useNavigate } from '@tanstack/react-router';
import type { Schemas } from '../../api.ts';
import { Card, Stack } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { TextField } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { PagePicker, pageOf } from '../../components/page-picker.tsx';
import { Pager } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { useOutcomeTexts } from '../../texts/outcomes.ts';
import { useReviewTexts } from '../../texts/reviews.ts';
import type { ReviewAddress } from './address.ts';

/** Rows of the table at once. The service gives 10,000 URLs in one answer. */
const PAGE_SIZE = 50;

type ReviewUrlsProps = { readonly review: Schemas['ReviewWithUrls']; readonly address: ReviewAddress };

/** The pages that would be removed, or were, with the reason of each. */
export function ReviewUrls({ review, address }: ReviewUrlsProps) {
  const t = useReviewTexts();
  const words = useOutcomeTexts();
  const navigate = useNavigate();
  const { siteId, reviewId, urls, reasons, status, nextCursor } = review;
  const show = (search: ReviewAddress) =>
    void navigate({
      to: '/sites/$siteId/reviews/$reviewId',
      params: { siteId, reviewId },
      search,
      replace: true,
      resetScroll: false,
    });
  const { q = '', page = 1, cursor } = address;
  const all = (urls ?? []).map((url, index) => ({ url, reason: reasons?.[index] }));
  const found = all.filter(({ url }) => url.toLowerCase().includes(q.toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  return (
    <Card title={status === 'pending' ? t.urlsTitle : t.urlsGone}>
      {urls === null ? (
        <Notice tone="warn">{t.urlsUnavailable}</Notice>
      ) : (
        <Stack>
          <TextField label={t.filter} value={q} onChange={(text) => show({ q: text, cursor })} type="search" />
          {found.length === 0 ? (
            <Empty title={t.noMatch} />
          ) : (
            <Table
              caption={t.urlsTitle}
              columns={[
                {
                  name: t.url,
                  kind: 'wide',
                  value: ({ url }) => (
                    <Link to="/sites/$siteId/url" params={{ siteId }} search={{ url }}>
                      {url}
                    </Link>
                  ),
                },
                { name: t.reason, value: ({ reason }) => reason && reasonWords(words, reason) },
              ]}
              rows={pageOf(found, Math.min(page, pages), PAGE_SIZE)}
              keyOf={({ url }) => url}
            />
          )}
          <PagePicker page={Math.min(page, pages)} pages={pages} onMove={(next) => show({ q, cursor, page: next })} />
          <Pager cursor={cursor} nextCursor={nextCursor} onMove={(next) => show({ q, cursor: next })} />
        </Stack>
      )}
    </Card>
  );
}

type Words = ReturnType<typeof useOutcomeTexts>;

const reasonWords = ({ reasons, outcomes }: Words, reason: keyof Words['reasons'] | 'duplicate'): string =>
  reason === 'duplicate' ? outcomes.duplicate : reasons[reason];
