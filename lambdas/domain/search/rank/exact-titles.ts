import { terms } from '../../../text/words/terms.ts';
import { withoutNumber } from '../../../text/words/title-number.ts';
import type { PageCandidate, QueryTerm } from '../../ports/index-reader.ts';

/** Number of first pages whose titles are compared with the query, independent of the number shown. */
export const COMPARED_TITLES = 20;

type RankedPage = {
  readonly score: number;
  /** Factor in the score, which includes the boosts. */
  readonly factor: number;
  readonly ref: Pick<PageCandidate, 'inTitle' | 'titleLength'>;
  readonly basis: { readonly terms: readonly QueryTerm[] };
};

/** Returns the first pages whose title may equal the query; none if only the top page's may. */
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
 * Moves pages whose title equals the query before those whose titles have only the same stems or extra question words:
 * "Paginator" before "Pagination". Boosts still apply.
 */
export function exactTitlesFirst<Page extends RankedPage>(
  pages: readonly Page[],
  exact: ReadonlySet<Page>,
): readonly Page[] {
  const highest = Math.max(...pages.slice(0, COMPARED_TITLES).map(({ score, factor }) => score / factor));
  const lifted = Array.from(exact, (page) => ({ ...page, score: highest * page.factor }));
  return [...lifted, ...pages.filter((page) => !exact.has(page))].sort((a, b) => b.score - a.score);
}
