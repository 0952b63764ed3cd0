import type { CandidateQuery, SearchScope } from '../domain/ports/index-reader.ts';
import { filterTest, type PageFacts, type PageTest } from './page-facts.ts';
import { pagesWithPhrase } from './phrases.ts';
import type { Segment } from './segment.ts';
import type { PageMask } from './top-k.ts';

/** The pages that the filters of a scope and the phrases of a query allow. */
export function pageMask(
  { requiredPhrases, excludedPhrases }: CandidateQuery,
  { filters = [] }: SearchScope,
  segment: Segment,
): PageMask {
  let mask = filters.length > 0 ? pagesWith(filters.map(filterTest), segment) : undefined;
  for (const phrase of requiredPhrases) mask = pagesWithPhrase(phrase, segment, mask);
  for (const phrase of excludedPhrases) mask = without(pagesWithPhrase(phrase, segment, mask), mask);
  return mask;
}

function pagesWith(tests: readonly PageTest[], segment: Segment): Uint8Array {
  const passes = (facts: PageFacts) => tests.every((test) => test(facts));
  return Uint8Array.from({ length: segment.size }, (_, page) => (passes(segment.factsOf(page)) ? 1 : 0));
}

const without = (excluded: Uint8Array, mask: PageMask): Uint8Array =>
  excluded.map((isExcluded, page) => (isExcluded === 0 && mask?.[page] !== 0 ? 1 : 0));
