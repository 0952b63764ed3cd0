import { readFileSync } from 'node:fs';
import type { Hit } from '../../lambdas/domain/search/find-pages.ts';
import { rankPages } from '../../lambdas/domain/search/rank/rank-pages.ts';
import { combined, type Evidence, evidenceOf, partsOf, scoreOf } from '../../lambdas/domain/search/rank/ranking.ts';
import { WeightedTerms } from '../../lambdas/domain/search/rank/weighted-terms.ts';
import type { Figures } from './figures.ts';
import { judged, ndcg10 } from './judged-collections.ts';
import { answers, type Collection, postgresql, type Query } from './relevance-collections.ts';
import type { IndexedSite } from './relevance-search.ts';

/*
 * Measures the effect of each factor of the formula (`bench/relevance --without FACTOR`, or `all`): the figures of the
 * whole formula, and of the formula without the factor. Both rank the same 1,000 best pages of a query.
 */

type Factor = {
  /** What the factor does, in one sentence. */
  readonly does: string;
  /** The score without the factor. */
  readonly without: (evidence: Evidence, terms: WeightedTerms) => number;
};

/** Replaces a part of the evidence by a value that counts neither for nor against a chunk. */
const neutral =
  (part: (evidence: Evidence) => Partial<Evidence>): Factor['without'] =>
  (evidence, terms) =>
    scoreOf({ ...evidence, ...part(evidence) }, terms);

const FACTORS: Readonly<Record<string, Factor>> = {
  meaning: {
    does: 'A passage is found by what it means, without the words of the query.',
    without: neutral(() => ({ cosine: undefined })),
  },
  words: {
    does: 'A passage is the better the more of the words it has, rare ones above all, and the more often.',
    without: neutral(() => ({ bm25: 0 })),
  },
  coincidence: {
    does: 'Words that stand apart in a passage that means something else count less.',
    without: neutral(() => ({ together: 1 })),
  },
  label: {
    does: 'A heading, or a name that the passage explains, says what the passage is about.',
    without: neutral(() => ({ label: 0 })),
  },
  title: {
    does: 'The title says what the page is about.',
    without: neutral(() => ({ title: 0 })),
  },
  links: {
    does: 'A passage of links leads to answers and is none.',
    without: neutral(() => ({ linkShare: 0 })),
  },
  gate: {
    does: 'What has little of the query and means something else is no answer.',
    without: (evidence, terms) => {
      const { meaning, words, title } = partsOf(evidence, terms);
      return combined(meaning, words, title);
    },
  },
};

type Ranked = readonly { readonly url: string; readonly score: number }[];

/** A measure of the answers to queries in one site. */
type Measure = {
  readonly name: string;
  readonly site: IndexedSite;
  readonly queries: readonly { readonly text: string; readonly worth: (results: Ranked) => number }[];
};

type Options = {
  readonly open: (collection: Pick<Collection, 'pages'>) => Promise<IndexedSite>;
  /** One in this many index terms is searched. */
  readonly every: number;
};

const FIRST_RESULTS = 10;
const USUAL_SCORE = 0.3;

async function measures({ open, every }: Options): Promise<readonly Measure[]> {
  const [manual, questions] = [postgresql(), answers()];
  const [manualSite, questionSite] = [await open(manual), await open(questions)];
  const terms = manual.queries.filter((_, i) => i % every === 0);
  const others = readFileSync(new URL('fixtures/other-domains.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const found: Measure[] = [
    { name: 'index terms, MRR', site: manualSite, queries: terms.map(knownItem) },
    { name: 'questions, MRR', site: questionSite, queries: questions.queries.map(knownItem) },
    {
      name: 'other domains, found',
      site: manualSite,
      queries: others.map((text) => ({ text, worth: ([first]) => Number((first?.score ?? 0) >= USUAL_SCORE) })),
    },
  ];
  for (const name of ['cran', 'cisi']) {
    const collection = judged(name);
    const queries = collection.queries.map(({ text, grades }) => ({
      text,
      worth: (results: Ranked) => ndcg10(urlsOf(results), grades),
    }));
    found.push({ name: `${name}, nDCG`, site: await open(collection), queries });
  }
  return found;
}

const urlsOf = (results: Ranked): readonly string[] => results.slice(0, FIRST_RESULTS).map(({ url }) => url);

const knownItem = ({ text, answers: right }: Query): Measure['queries'][number] => ({
  text,
  worth: (results) => {
    const at = urlsOf(results).findIndex((url) => right.includes(url));
    return at < 0 ? 0 : 1 / (at + 1);
  },
});

/** Returns the figures of the whole formula, then those without each factor. */
export async function worthOfFactors(names: readonly string[], options: Options): Promise<Figures> {
  const chosen = names.includes('all') ? Object.keys(FACTORS) : names;
  const unknown = chosen.find((name) => !(name in FACTORS));
  if (unknown !== undefined)
    throw new Error(`The formula has no factor "${unknown}". It has: ${Object.keys(FACTORS).join(', ')}`);
  const rows: Record<string, Record<string, number>> = { whole: {} };
  for (const name of chosen) rows[`without ${name}`] = {};
  for (const { name: measure, site, queries } of await measures(options)) {
    const sums = Object.keys(rows).map(() => 0);
    for (const { text, worth } of queries) {
      const hits = await site.examined(text);
      for (const [i, factor] of [undefined, ...chosen.map((name) => FACTORS[name])].entries())
        sums[i] = (sums[i] ?? 0) + worth(rankPages(rescored(hits, factor), 0));
    }
    for (const [i, row] of Object.values(rows).entries())
      row[measure] = Number(((sums[i] ?? 0) / queries.length).toFixed(3));
  }
  return rows;
}

/** Scores hits without a factor. Boosts, corrections and completions count as before. */
function rescored(hits: readonly Hit[], factor: Factor | undefined): readonly Hit[] {
  if (!factor) return hits;
  const termsOf = new Map<Hit['basis'], WeightedTerms>();
  return hits.map((hit) => {
    const { basis, ref, score } = hit;
    const chunk = ref.chunks.find(({ ord }) => ord === hit.chunk);
    if (!chunk) return hit;
    const terms = termsOf.get(basis) ?? new WeightedTerms(basis.terms, basis.statistics);
    termsOf.set(basis, terms);
    const evidence = evidenceOf(ref, chunk, terms, basis.statistics);
    const whole = scoreOf(evidence, terms);
    return { ...hit, score: whole > 0 ? (score / whole) * factor.without(evidence, terms) : 0 };
  });
}
