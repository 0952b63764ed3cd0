export type Candidate = {
  /** Identifies the page among all sites. */
  readonly page: string;
  readonly url: string;
  readonly chunk: number;
  /** Includes the page's boosts, so it can be above 1. */
  readonly score: number;
};

/** The pages that reach `minScore`, each by its best chunk, ordered by score, then by URL. */
export function rankPages<C extends Candidate>(candidates: readonly C[], minScore: number): readonly C[] {
  const best = new Map<string, C>();
  for (const candidate of candidates) {
    if (candidate.score < minScore) continue;
    const known = best.get(candidate.page);
    if (!known || byRank(candidate, known) < 0) best.set(candidate.page, candidate);
  }
  return [...best.values()].sort(byRank);
}

/** Follows the pages of `first` by the others of `second`. */
export function followedBy<C extends Candidate>(first: readonly C[], second: readonly C[]): readonly C[] {
  const known = new Set(first.map(({ page }) => page));
  return [...first, ...second.filter(({ page }) => !known.has(page))];
}

function byRank(a: Candidate, b: Candidate): number {
  return b.score - a.score || inOrder(a.url, b.url) || inOrder(a.page, b.page) || a.chunk - b.chunk;
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
