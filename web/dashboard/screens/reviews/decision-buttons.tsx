import { useState } from 'react';
import { SearchError } from '../../../../packages/client/src/search-error.ts';
import { call, queryClient, type Schemas } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { say } from '../../components/toasts.tsx';
import { useFormats } from '../../formats.ts';
import { useRefusal } from '../../role.ts';
import { useReviewTexts } from '../../texts/reviews.ts';

/** Approves or rejects a removal, after it has said what will be deleted. */
export function DecisionButtons({ review }: { readonly review: Schemas['ReviewWithUrls'] }) {
  const t = useReviewTexts();
  const { number } = useFormats();
  const refusal = useRefusal()('admin');
  const [asks, setAsks] = useState<'approve' | 'reject'>();
  const { siteId, reviewId, urlCount, urlsAvailable } = review;
  const decide = async (decision: 'approve' | 'reject') => {
    const path = { siteId, reviewId };
    try {
      if (decision === 'approve') await call('POST /sites/{siteId}/reviews/{reviewId}/approve', { path });
      else await call('POST /sites/{siteId}/reviews/{reviewId}/reject', { path });
      say(decision === 'approve' ? t.approved : t.rejected);
    } catch (error) {
      // Another person has decided: the screen shows how.
      if (!(error instanceof SearchError && error.code === 'review_not_pending')) throw error;
      say(t.changed);
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['site', siteId] });
    }
  };
  return (
    <>
      <Button onClick={() => setAsks('reject')} refusal={refusal}>
        {t.reject}
      </Button>
      <Button
        kind="danger"
        onClick={() => setAsks('approve')}
        refusal={refusal ?? (urlsAvailable ? undefined : t.urlsUnavailable)}
      >
        {t.approve}
      </Button>
      <ConfirmDialog
        isOpen={asks === 'approve'}
        onClose={() => setAsks(undefined)}
        title={t.approveQuestion}
        loss={t.approveLoss(number(urlCount))}
        act={t.approve}
        onConfirm={() => decide('approve')}
      />
      <ConfirmDialog
        isOpen={asks === 'reject'}
        onClose={() => setAsks(undefined)}
        title={t.rejectQuestion}
        loss={t.rejectLoss(number(urlCount))}
        act={t.reject}
        onConfirm={() => decide('reject')}
      />
    </>
  );
}
