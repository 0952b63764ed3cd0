import type { GivenSearch } from '../../address.ts';

/** The screen is one page. Its sections are fragments of the address. */
export const parseSettings = (_given: GivenSearch) => ({});
