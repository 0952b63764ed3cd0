import type { GivenSearch } from '../../address.ts';

export const parseKeys = (_given: GivenSearch) => ({});
