import type {
  CandidateQuery,
  Candidates,
  PageCandidate,
  SearchScope,
} from '../../../lambdas/domain/ports/index-reader.ts';
import type { IndexEntry, PageIndex, SiteScope } from '../../../lambdas/domain/ports/page-index.ts';
import { NO_BOOSTS } from '../../../lambdas/domain/search/rank/boosts.ts';
import { queryTerms } from '../../../lambdas/text/words/query-terms.ts';
import { indexEntry, type PageParts } from '../../support/index-entries.ts';

export type Access = () => PageIndex;
export const COSINE_DIGITS = 3;

export async function put(
  index: PageIndex,
  scope: SiteScope,
  pages: readonly PageParts[],
): Promise<readonly IndexEntry[]> {
  const entries = pages.map((parts) => indexEntry(scope, parts));
  await index.put(entries, { visible: 'now' });
  return entries;
}

export type QueryParts = Partial<Omit<CandidateQuery, 'scopes' | 'terms'>> & Pick<SearchScope, 'filters' | 'boosts'>;

export function search(
  index: PageIndex,
  scope: SiteScope,
  query: string,
  { filters = [], boosts = NO_BOOSTS, ...parts }: QueryParts = {},
): Promise<Candidates> {
  const terms = queryTerms(query, ['en']);
  return index.candidates({
    scopes: [{ ...scope, filters, boosts }],
    terms,
    requiredPhrases: [],
    excludedPhrases: [],
    limit: 100,
    ...parts,
  });
}

export const urlsOf = ({ pages }: Candidates): readonly string[] => pages.map(({ url }) => url).toSorted();

export const named = (name: string, parts: PageParts): PageParts => ({ url: `https://example.org/${name}`, ...parts });
export const urls = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `https://example.org/${name}`);

export function only({ pages }: Candidates): PageCandidate {
  const [page, ...others] = pages;
  if (page === undefined || others.length > 0) throw new Error(`${pages.length} pages instead of one`);
  return page;
}

export const sitesAndUrls = ({ pages }: Candidates): readonly string[] =>
  pages.map(({ siteId, url }) => `${siteId} ${url.slice('https://example.org/'.length)}`).toSorted();
