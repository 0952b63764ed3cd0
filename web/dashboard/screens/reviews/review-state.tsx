import type { Schemas } from '../../api.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { useFormats } from '../../formats.ts';
import { useReviewTexts } from '../../texts/reviews.ts';

type Review = Schemas['Review'];

const TONES: Readonly<Record<Review['status'], Tone>> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'calm',
  superseded: 'calm',
};

export function ReviewState({ status }: Pick<Review, 'status'>) {
  const t = useReviewTexts();
  return <StatusBadge tone={TONES[status]}>{t.status[status]}</StatusBadge>;
}

/** What an approved removal has done so far. */
export function SweepWords({ sweep }: { readonly sweep: NonNullable<Review['sweep']> }) {
  const t = useReviewTexts();
  const { number } = useFormats();
  const { status, deleted, kept } = sweep;
  if (status === 'failed') return <>{t.sweepFailed(number(deleted))}</>;
  const words = t.sweepDone(number(deleted), number(kept));
  return <>{status === 'running' ? `${t.sweepRunning} ${words}` : words}</>;
}
