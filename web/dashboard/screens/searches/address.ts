import type { GivenSearch } from '../../address.ts';

export const parseSearches = (_given: GivenSearch) => ({});
