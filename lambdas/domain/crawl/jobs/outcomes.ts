export const JOB_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const OUTCOMES = {
  indexed: [],
  unchanged: [],
  duplicate: [],
  skipped: [
    'robots',
    'ingested',
    'excluded',
    'not_included',
    'out_of_scope',
    'noindex',
    'canonical',
    'redirect',
    'too_deep',
    'over_limit',
    'cancelled',
    'content_type',
    'empty',
    'soft_404',
    'encrypted',
    'scanned',
  ],
  gone: ['404', '410'],
  failed: [
    'http_status',
    'timeout',
    'dns',
    'connection',
    'private_address',
    'too_large',
    'redirect_loop',
    'unavailable',
    'gave_up',
    'bad_content',
    'broken_pdf',
    'not_rendered',
  ],
} as const;

export type Outcome = keyof typeof OUTCOMES;
export type Reason<O extends Outcome = Outcome> = (typeof OUTCOMES)[O][number];

export const OUTCOME_NAMES = Object.keys(OUTCOMES) as readonly Outcome[];
export const REASONS: readonly Reason[] = Object.values(OUTCOMES).flat();

export const isReasonOf = (outcome: Outcome, reason: Reason): boolean =>
  (OUTCOMES[outcome] as readonly Reason[]).includes(reason);
