import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { useSiteTexts } from '../../texts/sites.ts';
import type { SiteStatus } from './address.ts';

const TONES: Readonly<Record<SiteStatus, Tone>> = { pending: 'calm', crawling: 'busy', ready: 'good', error: 'bad' };

export function SiteState({ status }: { readonly status: SiteStatus }) {
  const t = useSiteTexts();
  return <StatusBadge tone={TONES[status]}>{t.status[status]}</StatusBadge>;
}
