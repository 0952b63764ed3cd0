export type Candidate = {
  /** Identifies the page among all sites. */
  readonly page: string;
  readonly url: string;
  readonly chunk: number;
  /** Includes the page's boosts, so it can be above 1. */
  readonly score: number;
};

/** Several chunks can belong to one section. */
const CHUNKS_PER_SECTION = 2;

/** Returns the pages that reach `minScore`, each by its best chunk, ordered by score, then by URL. */
export function rankPages<C extends Candidate>(candidates: readonly C[], minScore: number): readonly C[] {
  const best = new Map<string, C>();
  for (const candidate of candidates) {
    if (candidate.score < minScore) continue;
    const known = best.get(candidate.page);
    if (!known || byRank(candidate, known) < 0) best.set(candidate.page, candidate);
  }
  return [...best.values()].sort(byRank);
}

/** Appends to `first` the pages of `second` that it lacks. */
export function followedBy<C extends Candidate>(first: readonly C[], second: readonly C[]): readonly C[] {
  const known = new Set(first.map(({ page }) => page));
  return [...first, ...second.filter(({ page }) => !known.has(page))];
}

/** Returns the other chunks of each page, best first, at most twice as many as `sections`. */
export function furtherChunks<C extends Candidate>(
  pages: readonly C[],
  chunks: readonly C[],
  sections: number,
): ReadonlyMap<string, readonly C[]> {
  const bestOf = new Map(pages.map(({ page, chunk }) => [page, chunk]));
  const others = new Map<string, Map<number, C>>();
  for (const hit of chunks) {
    if (!bestOf.has(hit.page) || bestOf.get(hit.page) === hit.chunk) continue;
    const ofPage = others.get(hit.page) ?? new Map<number, C>();
    others.set(hit.page, ofPage);
    const known = ofPage.get(hit.chunk);
    if (!known || known.score < hit.score) ofPage.set(hit.chunk, hit);
  }
  return new Map(
    Array.from(others, ([page, hits]) => [
      page,
      [...hits.values()].sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, CHUNKS_PER_SECTION * sections),
    ]),
  );
}

function byRank(a: Candidate, b: Candidate): number {
  return b.score - a.score || inOrder(a.url, b.url) || inOrder(a.page, b.page) || a.chunk - b.chunk;
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
