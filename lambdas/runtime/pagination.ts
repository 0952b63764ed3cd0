import type { Listing } from '../core/ports/table.ts';

/** How every list ends. */
export const ending = ({ next }: Pick<Listing<unknown>, 'next'>) => ({
  nextCursor: next ?? null,
  hasMore: next !== undefined,
});
