import type { CandidateQuery } from '../../../core/ports/page-index.ts';
import type { PageTable } from './forward-index.ts';
import { filterTest, groupTest, type PageFacts, type PageTest } from './page-facts.ts';
import { pagesWithPhrase } from './phrases.ts';
import type { SpaceIndex } from './space-index.ts';
import type { Admitted } from './top-k.ts';

/** Of the query, then of each of its groups. */
type AdmittedPages = readonly [Admitted, ...Admitted[]];

/** The pages that hold all that a query demands, and of these the ones of each of its groups. */
export function admittedPages(
  { filters, requiredPhrases, excludedPhrases, groups }: CandidateQuery,
  index: SpaceIndex,
): AdmittedPages {
  let admitted = filters.length > 0 ? pagesWith(filters.map(filterTest), index.pages) : undefined;
  for (const phrase of requiredPhrases) admitted = pagesWithPhrase(phrase, index, admitted);
  for (const phrase of excludedPhrases) admitted = outside(pagesWithPhrase(phrase, index, admitted), admitted);
  return [admitted, ...groups.map((group) => pagesWith([groupTest(group)], index.pages, admitted))];
}

function pagesWith(tests: readonly PageTest[], pages: PageTable, among?: Admitted): Uint8Array {
  const holdsAll = (page: PageFacts, place: number) => among?.[place] !== 0 && tests.every((holds) => holds(page));
  return Uint8Array.from(pages.facts, (page, place) => (holdsAll(page, place) ? 1 : 0));
}

const outside = (pages: Uint8Array, among: Admitted): Uint8Array =>
  pages.map((has, page) => (has === 0 && among?.[page] !== 0 ? 1 : 0));
