/** The queries of one day with the highest counts, highest first. `isWhole` means that the day has no others. */
export type DayTop = {
  readonly isWhole: boolean;
  readonly queries: readonly { readonly query: number; readonly count: number }[];
};

type Candidates = {
  readonly queries: readonly number[];
  /** Whether no query missing from the lists can be among the most frequent ones. */
  readonly isComplete: boolean;
};

/**
 * Returns the queries that can be among the `limit` most frequent ones of all days. On a day whose list does not
 * contain a query, its count is at most that of the list's last query. This rules out most queries without reading
 * their counts (the threshold algorithm of Fagin, Lotem and Naor). Returns at most `most` queries, those with the
 * highest counts in the lists.
 */
export function topCandidates(days: readonly DayTop[], limit: number, most = Infinity): Candidates {
  const shown = new Map<number, { count: number; bounds: number }>();
  let bounds = 0;
  for (const { isWhole, queries } of days) {
    const bound = isWhole ? 0 : (queries.at(-1)?.count ?? 0);
    bounds += bound;
    for (const { query, count } of queries) {
      const sum = shown.get(query) ?? { count: 0, bounds: 0 };
      sum.count += count;
      sum.bounds += bound;
      shown.set(query, sum);
    }
  }
  const counts = Float64Array.from(shown.values(), ({ count }) => count).sort();
  const least = counts.at(-limit) ?? 0;
  const possible = [...shown].filter(([, sum]) => sum.count + bounds - sum.bounds >= least);
  const queries = possible.toSorted(([, one], [, other]) => other.count - one.count).map(([query]) => query);
  return { queries: queries.slice(0, most), isComplete: bounds < least || bounds === 0 };
}
