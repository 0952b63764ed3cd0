import type { QueryTrace } from './query-trace.ts';

/** A lower factor of a score is mentioned. */
const LOW = 0.5;

type Known = QueryTrace & { readonly isIndexed: boolean };

/** Returns a sentence that tells whether a search finds a page, or why not. */
export function queryVerdict({ isIndexed, rank, totalResults, minScore, score, words, factors }: Known): string {
  if (!isIndexed) return 'The page is not indexed, so no search finds it.';
  if (rank !== null) return `It is result ${rank} of ${totalResults}.`;
  if (score === undefined || !factors)
    return 'No part of the page matches: it has none of the words, in no form, and nothing near to their meaning.';
  if (score >= minScore) return `Its score ${score} is high enough, but the best ${totalResults} pages score higher.`;
  const missing = (words ?? []).flatMap(({ word, counts, inChunk, inTitle }) =>
    counts && inChunk === 0 && !inTitle ? [word] : [],
  );
  const causes = [
    ...(missing.length > 0 ? [`its best part does not have: ${missing.join(', ')}`] : []),
    ...(missing.length === 0 && factors.gate < LOW ? ['no part of the page has enough of the words together'] : []),
    ...(factors.boost < 1 ? [`boosts lower its score by the factor ${factors.boost}`] : []),
  ];
  const because = causes.length > 0 ? ` Reason: ${causes.join('; ')}.` : '';
  return `It matches with the score ${score}, which is below minScore (${minScore}).${because}`;
}
