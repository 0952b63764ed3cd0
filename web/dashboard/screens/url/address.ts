import type { GivenSearch } from '../../address.ts';

export const parseUrl = (_given: GivenSearch) => ({});
