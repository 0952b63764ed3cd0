import type { GivenSearch } from '../../address.ts';

export const parseFirstSite = (_given: GivenSearch) => ({});
