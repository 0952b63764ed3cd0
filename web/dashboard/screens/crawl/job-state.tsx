import type { Schemas } from '../../api.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { useCrawlTexts } from '../../texts/crawl.ts';

const TONES: Readonly<Record<Schemas['CrawlJob']['status'], Tone>> = {
  pending: 'busy',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'calm',
};

type JobStateProps = { readonly job: Pick<Schemas['CrawlJob'], 'status' | 'endReason' | 'dryRun'> };

export function JobState({ job: { status, endReason, dryRun } }: JobStateProps) {
  const t = useCrawlTexts();
  const isAtLimit = status === 'completed' && endReason === 'limit';
  return (
    <>
      <StatusBadge tone={isAtLimit ? 'warn' : TONES[status]}>{t.status[status]}</StatusBadge>
      {isAtLimit && ` ${t.endReason.limit}`}
      {dryRun && ` (${t.dryRun})`}
    </>
  );
}
