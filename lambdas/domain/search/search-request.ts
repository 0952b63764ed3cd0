import type { Filters } from './page-filters.ts';

export type SearchRequest = {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly minScore: number;
  readonly filters?: Filters | undefined;
  /** Fields whose values are counted on the matching pages. */
  readonly facets?: readonly string[] | undefined;
  /** Whether the last word may be the beginning of a word; true by default. */
  readonly autocomplete?: boolean | undefined;
  /** Searches the words as typed, without corrections and completions. */
  readonly exact?: boolean | undefined;
  /** Most further passages of each page. */
  readonly sections?: number | undefined;
};

/** Applies to a search that gives no `minScore`. */
export const DEFAULT_MIN_SCORE = 0.3;
export const DEFAULT_OPTIONS = { autocomplete: true, exact: false, sections: 0 } as const;
