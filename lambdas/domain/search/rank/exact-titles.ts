import { terms } from '../../../text/words/terms.ts';
import { withoutNumber } from '../../../text/words/title-number.ts';
import type { IndexReader } from '../../ports/index-reader.ts';
import type { Hit } from '../find-pages.ts';

/** First pages whose titles are compared with the query, however many of them are shown. */
export const COMPARED_TITLES = 20;

/**
 * Moves pages whose title is the query before those whose titles have the same stems, or question words besides:
 * "Paginator" before "Pagination". A page with greater boosts stays where these put it.
 */
export async function exactTitlesFirst(
  pages: readonly Hit[],
  query: string,
  index: Pick<IndexReader, 'passages'>,
): Promise<readonly Hit[]> {
  const first = pages.slice(0, COMPARED_TITLES);
  const similar = first.filter(hasWordsInTitle);
  if (similar.length === 0 || (similar.length === 1 && similar[0] === first[0])) return pages;
  const passages = await index.passages(similar.map(({ ref, chunk }) => ({ ...ref, ord: chunk })));
  const wanted = spelled(query);
  const exact = new Set(similar.filter((_, i) => spelled(passages[i]?.title ?? '') === wanted));
  const highest = Math.max(...first.map(({ score, factor }) => score / factor));
  const lifted = Array.from(exact, (hit) => ({ ...hit, score: highest * hit.factor }));
  return [...lifted, ...pages.filter((hit) => !exact.has(hit))].sort((a, b) => b.score - a.score);
}

const hasWordsInTitle = ({ ref, basis }: Hit): boolean =>
  ref.titleLength <= basis.terms.length && basis.terms.every(({ question }, i) => question || ref.inTitle[i]);

const spelled = (title: string): string =>
  terms(withoutNumber(title), '')
    .map(({ term }) => term)
    .join(' ');
