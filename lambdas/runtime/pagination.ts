import type { Page } from '../core/ports/table.ts';

/** How every list ends. */
export const ending = ({ next }: Pick<Page<unknown>, 'next'>) => ({
  nextCursor: next ?? null,
  hasMore: next !== undefined,
});
