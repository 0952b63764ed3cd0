import type { Listing } from '../core/ports/table.ts';

/** The last fields of every list in a response. */
export const pageInfo = ({ next }: Pick<Listing<unknown>, 'next'>) => ({
  nextCursor: next ?? null,
  hasMore: next !== undefined,
});
