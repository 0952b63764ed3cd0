import type { Filters } from './page-filters.ts';

export type SearchRequest = {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly minScore: number;
  readonly filters?: Filters | undefined;
  /** Fields whose values are counted among the pages that passed. */
  readonly facets?: readonly string[] | undefined;
};

/** Of a search that names no other. */
export const DEFAULT_MIN_SCORE = 0.3;
