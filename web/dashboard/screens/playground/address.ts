import type { GivenSearch } from '../../address.ts';

export const parsePlayground = (_given: GivenSearch) => ({});
