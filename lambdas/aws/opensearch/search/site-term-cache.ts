import type { QueryTerm } from '../../../domain/ports/index-reader.ts';
import type { SiteScope } from '../../../domain/ports/page-index.ts';
import { type IndexRef, multiSearch } from './multi-search.ts';
import { frequencies, totals } from './scoped-queries.ts';
import { frequenciesOf, type SiteTotals, totalsOf } from './site-totals.ts';

const MAX_SITES = 100;
const MAX_TERMS = 10_000;

/** The term statistics of one version of a site's pages. Keys are made by `keyOf`. */
type TermStatistics = SiteTotals & {
  /** Number of chunks that contain the term. */
  readonly frequencies: Map<string, number>;
};

/** A query's terms with their statistics in one site; arrays are indexed by term. */
export type SiteQuery = SiteTotals & {
  readonly scope: SiteScope;
  /** Whether the statistics come from the cache. They are outdated if the index has another `version`. */
  readonly isCached: boolean;
  readonly documentFrequency: readonly number[];
  readonly terms: readonly QueryTerm[];
};

type Lookup = {
  readonly scopes: readonly SiteScope[];
  readonly terms: readonly QueryTerm[];
  readonly bypassCache: boolean;
};

const keyOf = ({ forms }: QueryTerm): string => forms.join(' ');
const nameOf = ({ siteId, generation }: SiteScope): string => `${siteId} ${generation}`;

/** Caches the statistics of searched terms, for the sites whose statistics were read last. */
export class SiteTermCache {
  readonly #sites = new Map<string, TermStatistics>();

  async lookUp(index: IndexRef, { scopes, terms, bypassCache }: Lookup): Promise<readonly SiteQuery[]> {
    const cached = new Map(
      scopes.flatMap((scope) => {
        const statistics = bypassCache ? undefined : this.#find(scope, terms);
        return statistics ? [[scope, statistics] as const] : [];
      }),
    );
    const missing = scopes.filter((scope) => !cached.has(scope));
    const fetched = await fetchStatistics(index, missing, terms);
    return scopes.map((scope) => {
      const statistics = cached.get(scope) ?? this.#add(scope, fetched.get(scope) as TermStatistics);
      return siteQuery(scope, terms, statistics, cached.has(scope));
    });
  }

  #find(scope: SiteScope, terms: readonly QueryTerm[]): TermStatistics | undefined {
    const site = this.#sites.get(nameOf(scope));
    return site && terms.every((term) => site.frequencies.has(keyOf(term))) ? site : undefined;
  }

  /** Merges statistics with cached ones of the same version. Drops the site whose statistics were read longest ago. */
  #add(scope: SiteScope, fetched: TermStatistics): TermStatistics {
    const name = nameOf(scope);
    const cached = this.#sites.get(name);
    const canMerge = cached?.version === fetched.version && cached.frequencies.size < MAX_TERMS;
    if (canMerge) for (const [key, count] of fetched.frequencies) cached.frequencies.set(key, count);
    const site = canMerge ? cached : fetched;
    this.#sites.delete(name);
    this.#sites.set(name, site);
    const [oldest] = this.#sites.keys();
    if (this.#sites.size > MAX_SITES && oldest !== undefined) this.#sites.delete(oldest);
    return site;
  }
}

async function fetchStatistics(
  index: IndexRef,
  scopes: readonly SiteScope[],
  terms: readonly QueryTerm[],
): Promise<ReadonlyMap<SiteScope, TermStatistics>> {
  const words = terms.map(({ forms }) => forms);
  const hasWords = words.length > 0;
  const queries = scopes.flatMap((scope) => [totals(scope), ...(hasWords ? [frequencies(scope, words)] : [])]);
  const answers = (await multiSearch(index, queries)).values();
  return new Map(
    scopes.map((scope) => {
      const ofSite = totalsOf(answers.next().value);
      const counts = hasWords ? frequenciesOf(answers.next().value) : [];
      return [scope, { ...ofSite, frequencies: new Map(terms.map((term, t) => [keyOf(term), counts[t] ?? 0])) }];
    }),
  );
}

function siteQuery(scope: SiteScope, terms: readonly QueryTerm[], site: TermStatistics, isCached: boolean): SiteQuery {
  const { version, chunks, averageLength } = site;
  return {
    scope,
    isCached,
    version,
    chunks,
    averageLength,
    terms,
    documentFrequency: terms.map((term) => site.frequencies.get(keyOf(term)) ?? 0),
  };
}
