import type { GivenSearch } from '../../address.ts';

export const parseSites = (_given: GivenSearch) => ({});
