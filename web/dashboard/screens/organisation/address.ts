import type { GivenSearch } from '../../address.ts';

export const parseOrganisation = (_given: GivenSearch) => ({});
