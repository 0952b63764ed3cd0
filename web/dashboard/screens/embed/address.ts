import type { GivenSearch } from '../../address.ts';

export const parseEmbed = (_given: GivenSearch) => ({});
