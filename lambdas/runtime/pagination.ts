import type { Listing } from '../domain/ports/table.ts';

export const pageInfo = ({ next }: Pick<Listing<unknown>, 'next'>) => ({
  nextCursor: next ?? null,
  hasMore: next !== undefined,
});
