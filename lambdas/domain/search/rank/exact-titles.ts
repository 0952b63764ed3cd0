import { terms } from '../../../text/words/terms.ts';
import { withoutNumber } from '../../../text/words/title-number.ts';
import type { PageCandidate, QueryTerm } from '../../ports/index-reader.ts';

/** First pages whose titles are compared with the query, however many of them are shown. */
export const COMPARED_TITLES = 20;

type RankedPage = {
  readonly score: number;
  /** Of the score: boosts among others. */
  readonly factor: number;
  readonly ref: Pick<PageCandidate, 'inTitle' | 'titleLength'>;
  readonly basis: { readonly terms: readonly QueryTerm[] };
};

/** Of the first pages those whose title may be the query; none if the first of all is the only one. */
export function pagesToCompare<Page extends RankedPage>(pages: readonly Page[]): readonly Page[] {
  const similar = pages.slice(0, COMPARED_TITLES).filter(hasWordsInTitle);
  return similar.length === 1 && similar[0] === pages[0] ? [] : similar;
}

const hasWordsInTitle = ({ ref, basis }: RankedPage): boolean =>
  ref.titleLength <= basis.terms.length && basis.terms.every(({ question }, i) => question || ref.inTitle[i]);

export const isTitle = (title: string, query: string): boolean => spelled(title) === spelled(query);

const spelled = (title: string): string =>
  terms(withoutNumber(title), '')
    .map(({ term }) => term)
    .join(' ');

/**
 * Moves pages whose title is the query before those whose titles have the same stems, or question words besides:
 * "Paginator" before "Pagination". A page with greater boosts stays where these put it.
 */
export function exactTitlesFirst<Page extends RankedPage>(
  pages: readonly Page[],
  exact: ReadonlySet<Page>,
): readonly Page[] {
  const highest = Math.max(...pages.slice(0, COMPARED_TITLES).map(({ score, factor }) => score / factor));
  const lifted = Array.from(exact, (page) => ({ ...page, score: highest * page.factor }));
  return [...lifted, ...pages.filter((page) => !exact.has(page))].sort((a, b) => b.score - a.score);
}
