import { type GivenSearch, integerIn, textIn } from '../../address.ts';

export const parseReviews = (given: GivenSearch): { readonly cursor?: string | undefined } => ({
  cursor: textIn(given, 'cursor'),
});

export type ReviewAddress = {
  /** A part of the URLs that are shown. */
  readonly q?: string | undefined;
  readonly page?: number | undefined;
  readonly cursor?: string | undefined;
};

export const parseReview = (given: GivenSearch): ReviewAddress => ({
  q: textIn(given, 'q'),
  page: integerIn(given, 'page', 2, 10_000),
  cursor: textIn(given, 'cursor'),
});
