export type Candidate = {
  /** Identifies the page among all sites. */
  readonly page: string;
  readonly url: string;
  readonly chunk: number;
  readonly score: number;
  /** The factors of the page's matching boosts. */
  readonly boosts: readonly number[];
};

export type Ranked<C extends Candidate> = {
  /** One page of results; scores are capped at 1. */
  readonly results: readonly { readonly candidate: C; readonly score: number }[];
  readonly totalResults: number;
  /** All pages that reached `minScore`, whatever the offset and limit. */
  readonly passed: readonly C[];
};

/** The pages that reach `minScore`, each by its best chunk, ordered by boosted, uncapped score, then by URL. */
export function rankPages<C extends Candidate>(
  candidates: readonly C[],
  { minScore, limit, offset }: { readonly minScore: number; readonly limit: number; readonly offset: number },
): Ranked<C> {
  const boosted = candidates.map((candidate) => ({
    candidate,
    score: candidate.score * boostFactor(candidate.boosts),
  }));
  const best = new Map<string, (typeof boosted)[number]>();
  for (const hit of boosted.sort(byRank)) {
    if (hit.score >= minScore && !best.has(hit.candidate.page)) best.set(hit.candidate.page, hit);
  }
  const shown = [...best.values()].slice(offset, offset + limit);
  return {
    results: shown.map((hit) => ({ candidate: hit.candidate, score: Math.min(1, hit.score) })),
    totalResults: best.size,
    passed: [...best.values()].map((hit) => hit.candidate),
  };
}

/** The product of a page's boosts, 0.01 to 100. Boosts of zero or less are ignored. */
export function boostFactor(boosts: readonly number[]): number {
  const product = boosts
    .filter((boost) => boost > 0 && Number.isFinite(boost))
    .reduce((total, boost) => total * boost, 1);
  return Math.min(100, Math.max(0.01, product));
}

type Hit = { readonly candidate: Candidate; readonly score: number };

function byRank(a: Hit, b: Hit): number {
  return (
    b.score - a.score ||
    inOrder(a.candidate.url, b.candidate.url) ||
    inOrder(a.candidate.page, b.candidate.page) ||
    a.candidate.chunk - b.candidate.chunk
  );
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
