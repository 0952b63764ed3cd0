import type { Schemas } from './api.ts';
import type { Tone } from './components/status-badge.tsx';

export type Outcome = NonNullable<Schemas['JobPage']['outcome']>;
export type Reason = NonNullable<Schemas['JobPage']['reason']>;

/** How each outcome is coloured. The order is that of the tables. */
export const TONE: Readonly<Record<Outcome, Tone>> = {
  indexed: 'good',
  unchanged: 'good',
  duplicate: 'calm',
  skipped: 'calm',
  gone: 'warn',
  failed: 'bad',
};

/** All outcomes and reasons of the contract: one that is added does not compile until it is here. */
export const OUTCOMES = Object.keys(TONE) as readonly Outcome[];
const REASON_OUTCOME: Readonly<Record<Reason, Outcome>> = {
  robots: 'skipped',
  ingested: 'skipped',
  excluded: 'skipped',
  not_included: 'skipped',
  out_of_scope: 'skipped',
  noindex: 'skipped',
  canonical: 'skipped',
  redirect: 'skipped',
  too_deep: 'skipped',
  over_limit: 'skipped',
  cancelled: 'skipped',
  content_type: 'skipped',
  empty: 'skipped',
  soft_404: 'skipped',
  encrypted: 'skipped',
  scanned: 'skipped',
  '404': 'gone',
  '410': 'gone',
  http_status: 'failed',
  timeout: 'failed',
  dns: 'failed',
  connection: 'failed',
  private_address: 'failed',
  too_large: 'failed',
  redirect_loop: 'failed',
  unavailable: 'failed',
  gave_up: 'failed',
  bad_content: 'failed',
  broken_pdf: 'failed',
  not_rendered: 'failed',
};
export const REASONS = Object.keys(REASON_OUTCOME) as readonly Reason[];

/** The reasons that URLs of an outcome may have; all of them without one. */
export const reasonsOf = (outcome: Outcome | undefined): readonly Reason[] =>
  REASONS.filter((reason) => outcome === undefined || REASON_OUTCOME[reason] === outcome);

export type OutcomeCount = { readonly outcome: Outcome; readonly reason?: Reason; readonly count: number };

/** The counts of a job by outcome and reason, in the order of the outcomes, the most frequent reason first. */
export function countsOf(outcomes: Schemas['JobOutcomes'] | undefined): readonly OutcomeCount[] {
  if (!outcomes) return [];
  return OUTCOMES.flatMap((outcome) => {
    const counted = outcomes[outcome];
    if (typeof counted === 'number') return counted > 0 ? [{ outcome, count: counted }] : [];
    return Object.entries(counted)
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason, count]) => ({ outcome, reason: reason as Reason, count }));
  });
}

/** How many URLs have ended, by outcome. */
export function totalsOf(outcomes: Schemas['JobOutcomes'] | undefined): Readonly<Record<Outcome, number>> {
  const sums = { indexed: 0, unchanged: 0, duplicate: 0, skipped: 0, gone: 0, failed: 0 };
  for (const { outcome, count } of countsOf(outcomes)) sums[outcome] += count;
  return sums;
}

export const endedUrls = (outcomes: Schemas['JobOutcomes'] | undefined): number =>
  countsOf(outcomes).reduce((sum, { count }) => sum + count, 0);
