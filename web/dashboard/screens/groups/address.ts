import type { GivenSearch } from '../../address.ts';

export const parseGroups = (_given: GivenSearch) => ({});
