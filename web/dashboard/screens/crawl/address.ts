import type { GivenSearch } from '../../address.ts';

export const parseCrawl = (_given: GivenSearch) => ({});
export const parseJob = (_given: GivenSearch) => ({});
