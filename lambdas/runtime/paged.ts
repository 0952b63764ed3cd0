import type { Page } from '../adapters/ports.ts';

/** How every list ends. */
export const ending = ({ next }: Pick<Page<unknown>, 'next'>) => ({
  nextCursor: next ?? null,
  hasMore: next !== undefined,
});
