import type { FrequentQueries } from '../analytics/frequent-queries.ts';
import type { Report } from '../errors.ts';
import type { IndexReader } from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import { MAX_SUGGESTIONS, type Suggestion, suggest } from './suggest.ts';

const MAX_QUERIES = 3;

type SuggestDeps = {
  readonly frequentQueries: FrequentQueries;
  readonly index: Pick<IndexReader, 'titled'>;
  readonly report: Report;
};

/** Suggests frequent queries of visitors, then page titles. If the event log fails, suggests only titles. */
export async function suggestInSite(
  site: SiteRecord,
  text: string,
  { index, frequentQueries, report }: SuggestDeps,
): Promise<{ readonly suggestions: readonly Suggestion[] }> {
  const [{ suggestions }, queries] = await Promise.all([
    suggest([site], text, index),
    frequentQueries.startingWith(site.settings, text, MAX_QUERIES).catch((error: unknown) => {
      report('frequent queries are not suggested', error);
      return [];
    }),
  ]);
  const titles = new Set(suggestions.map((page) => page.text.toLowerCase()));
  const frequent = queries
    .filter((query) => !titles.has(query))
    .map((query) => ({ text: query, type: 'query' as const }));
  return { suggestions: [...frequent, ...suggestions].slice(0, MAX_SUGGESTIONS) };
}
