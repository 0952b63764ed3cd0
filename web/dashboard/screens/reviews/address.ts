import type { GivenSearch } from '../../address.ts';

export const parseReviews = (_given: GivenSearch) => ({});
export const parseReview = (_given: GivenSearch) => ({});
