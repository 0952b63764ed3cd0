import type { QueryTerm } from '../../../core/language/query-terms.ts';
import type { SiteScope } from '../../../core/ports/page-index.ts';
import { type EngineIndex, searchEach } from './engine-search.ts';
import { nearWordsOf } from './near-words.ts';
import { frequencies, totals } from './scoped-queries.ts';
import { frequenciesOf, type SiteTotals, totalsOf } from './site-totals.ts';

const MOST_SITES = 100;
const MOST_WORDS = 10_000;

/** What is known of a site's words in one version of its pages. */
type Known = SiteTotals & {
  /** In how many chunks a word is, by its forms. */
  readonly having: Map<string, number>;
  /** Words of the site in place of one that it does not have. */
  readonly near: Map<string, readonly string[]>;
};

/** A query as a site knows its words. */
export type SiteQuery = SiteTotals & {
  readonly scope: SiteScope;
  /** It was known from an earlier query: whether the version is still the same must be seen. */
  readonly remembered: boolean;
  readonly documentFrequency: readonly number[];
  readonly typos: readonly boolean[];
  /** A word that the site does not have has the forms of those that it may be a misspelling of. */
  readonly terms: readonly QueryTerm[];
};

type Asked = {
  readonly scopes: readonly SiteScope[];
  readonly terms: readonly QueryTerm[];
  /** Nothing that is remembered is used. */
  readonly anew: boolean;
};

const keyOf = ({ forms }: QueryTerm): string => forms.join(' ');
const nameOf = ({ siteId, generation }: SiteScope): string => `${siteId} ${generation}`;

/** The words of sites as queries have met them; the sites and words met last are remembered. */
export class SiteWords {
  readonly #known = new Map<string, Known>();

  /** For each of the scopes. */
  async of(index: EngineIndex, { scopes, terms, anew }: Asked): Promise<readonly SiteQuery[]> {
    const remembered = scopes.map((scope) => (anew ? undefined : this.#recall(scope, terms)));
    const unknown = scopes.filter((_, place) => !remembered[place]);
    const fetched = (await fetchKnown(index, unknown, terms)).values();
    const known = scopes.map(
      (scope, place) => remembered[place] ?? this.#remember(scope, fetched.next().value as Known),
    );
    return Promise.all(
      known.map(async (site, place) => {
        const scope = scopes[place] as SiteScope;
        await addNear(index, scope, terms, site);
        return siteQuery(scope, terms, site, remembered[place] !== undefined);
      }),
    );
  }

  #recall(scope: SiteScope, terms: readonly QueryTerm[]): Known | undefined {
    const known = this.#known.get(nameOf(scope));
    return known && terms.every((term) => known.having.has(keyOf(term))) ? known : undefined;
  }

  /** Adds to what is known of the same version. */
  #remember(scope: SiteScope, fetched: Known): Known {
    const name = nameOf(scope);
    const before = this.#known.get(name);
    const isSame = before?.version === fetched.version && before.having.size < MOST_WORDS;
    if (isSame) for (const [key, count] of fetched.having) before.having.set(key, count);
    const known = isSame ? before : fetched;
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_SITES && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}

async function fetchKnown(
  index: EngineIndex,
  scopes: readonly SiteScope[],
  terms: readonly QueryTerm[],
): Promise<readonly Known[]> {
  const words = terms.map(({ forms }) => forms);
  const answers = await searchEach(
    index,
    scopes.map((scope) => [totals(scope), ...(words.length > 0 ? [frequencies(scope, words)] : [])]),
  );
  return answers.map(([counted, having]) => {
    const counts = words.length > 0 ? frequenciesOf(having) : [];
    return {
      ...totalsOf(counted),
      having: new Map(terms.map((term, place) => [keyOf(term), counts[place] ?? 0])),
      near: new Map(),
    };
  });
}

const isAbsent = (term: QueryTerm, { chunks, having }: Known): boolean =>
  chunks > 0 && !term.question && having.get(keyOf(term)) === 0;

async function addNear(index: EngineIndex, scope: SiteScope, terms: readonly QueryTerm[], known: Known): Promise<void> {
  const sought = terms.filter((term) => isAbsent(term, known) && !known.near.has(keyOf(term)));
  const near = await nearWordsOf(index, scope, sought);
  for (const [place, term] of sought.entries()) known.near.set(keyOf(term), near[place] ?? []);
}

function siteQuery(scope: SiteScope, terms: readonly QueryTerm[], known: Known, remembered: boolean): SiteQuery {
  const { version, chunks, averageLength, having } = known;
  const near = terms.map((term) => (isAbsent(term, known) ? (known.near.get(keyOf(term)) ?? []) : []));
  return {
    ...{ scope, remembered, version, chunks, averageLength },
    documentFrequency: terms.map((term) => having.get(keyOf(term)) ?? 0),
    typos: near.map((words) => words.length > 0),
    terms: terms.map((term, place) => (near[place]?.length ? { ...term, forms: near[place] } : term)),
  };
}
