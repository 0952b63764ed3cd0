import type { GivenSearch } from '../../address.ts';

export const parseSettings = (_given: GivenSearch) => ({});
