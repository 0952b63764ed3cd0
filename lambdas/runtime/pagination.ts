import type { Listing } from '../core/ports/table.ts';

export const pageInfo = ({ next }: Pick<Listing<unknown>, 'next'>) => ({
  nextCursor: next ?? null,
  hasMore: next !== undefined,
});
