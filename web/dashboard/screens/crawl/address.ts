import { type GivenSearch, oneOf, textIn } from '../../address.ts';
import { OUTCOMES, type Outcome, REASONS, type Reason } from '../../outcomes.ts';

/** The page of the history of crawls. */
export const parseCrawl = (given: GivenSearch): { cursor?: string | undefined } => ({
  cursor: textIn(given, 'cursor'),
});

export type JobAddress = {
  readonly outcome?: Outcome | undefined;
  readonly reason?: Reason | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
};

/** The filter of the URLs of a crawl, and the page of their list. */
export const parseJob = (given: GivenSearch): JobAddress => ({
  outcome: oneOf(given, 'outcome', OUTCOMES),
  reason: oneOf(given, 'reason', REASONS),
  q: textIn(given, 'q'),
  cursor: textIn(given, 'cursor'),
});
