import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pageIndex } from '#adapters/page-index';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import { prepareSearchIndex } from '../local/server/search-index.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { type Figures, report } from './support/figures.ts';
import { type JudgedCollection, judged, ndcg10 } from './support/judged-collections.ts';
import { lenientSearches } from './support/lenient-searches.ts';
import { POSTGRESQL_QUERIES, SQLITE_QUERIES } from './support/manual-queries.ts';
import { GIT_PARAPHRASES, POSTGRESQL_PARAPHRASES, paraphrased, SQLITE_PARAPHRASES } from './support/paraphrases.ts';
import {
  answers,
  type Collection,
  OTHER_MANUALS,
  postgresql,
  type Query,
  titleQueries,
} from './support/relevance-collections.ts';
import { worthOfFactors } from './support/relevance-factors.ts';
import { modelOfProvider, withModel } from './support/relevance-models.ts';
import { type IndexedSite, indexCollection, type Way } from './support/relevance-search.ts';

const WAYS: readonly Way[] = ['words', 'vectors', 'both'];
/** Collections with judged queries. */
const JUDGED = ['cran', 'cisi'];
/** The default `minScore` of a search. */
const USUAL_SCORE = 0.3;
/** The lowest acceptable score of a page whose title is the query. */
const TITLE_SCORE = 0.6;

/** Only one in this many index terms and titles is searched. */
const EVERY = Number(process.env.EVERY ?? 1);
/**
 * Options. `--part judged --part nonsense` measures only these parts. `--more` adds manuals that were not used for
 * tuning. `--without FACTOR` measures only the effect of the factor (`all`: of each factor). `--model` uses the model
 * of a provider.
 */
const { values: options } = parseArgs({
  options: {
    model: { type: 'boolean', default: false },
    more: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true },
    without: { type: 'string', multiple: true },
  },
});
type Part = 'known' | 'lenient' | 'judged' | 'nonsense' | 'paraphrases';
const wants = (part: Part): boolean => options.part?.includes(part) ?? true;
const embedder = builtinEmbedder();
const close = await openLocalStore();
await prepareSearchIndex();
try {
  if (options.without) report(await worthOfFactors(options.without, { open, every: EVERY }));
  else if (options.model) report(await withModel(JUDGED, modelOfProvider()));
  else await formula();
} finally {
  await close();
}

/** Prints the figures of the whole formula. */
async function formula(): Promise<void> {
  if (wants('judged')) report(await judgedCollections());
  const [manual, questions] = [postgresql(), answers()];
  const [manualSite, questionSite] = [await open(manual), await open(questions)];
  const half = ({ queries }: Collection, rest: number) => queries.filter((_, i) => i % 2 === rest);
  if (wants('known'))
    report({
      ...(await knownItems('PostgreSQL index terms, tuned on', some(half(manual, 0)), manualSite)),
      ...(await knownItems('PostgreSQL index terms, held out', some(half(manual, 1)), manualSite)),
      ...(await knownItems('questions, tuned on', half(questions, 0), questionSite)),
      ...(await knownItems('questions, held out', half(questions, 1), questionSite)),
      ...(await knownItems('questions, all', questions.queries, questionSite)),
      ...(options.more && (await otherManuals())),
    });
  const sqlite = OTHER_MANUALS['sqlite3-doc']();
  const sqliteSite = await open(sqlite);
  if (wants('lenient'))
    report({
      ...(await lenientSearches('PostgreSQL', POSTGRESQL_QUERIES, some(titleQueries(manual)), manualSite)),
      ...(await lenientSearches('SQLite', SQLITE_QUERIES, some(titleQueries(sqlite)), sqliteSite)),
    });
  const git = OTHER_MANUALS['git-doc']();
  if (wants('paraphrases'))
    report({
      ...(await paraphrased('PostgreSQL paraphrases, tuned on', POSTGRESQL_PARAPHRASES, manual, manualSite)),
      ...(await paraphrased('SQLite paraphrases, held out', SQLITE_PARAPHRASES, sqlite, sqliteSite)),
      ...(await paraphrased('Git paraphrases, held out', GIT_PARAPHRASES, git, await open(git))),
    });
  if (wants('nonsense'))
    report({
      ...(await titlesAndNonsense('PostgreSQL', manual, manualSite)),
      ...(await titlesAndNonsense('questions', questions, questionSite)),
      ...(await homonyms(manualSite)),
    });
}

function open(collection: Pick<Collection, 'pages'>): Promise<IndexedSite> {
  return indexCollection(collection, pageIndex, embedder);
}

async function otherManuals(): Promise<Figures> {
  const rows: Record<string, Figures[string]> = {};
  for (const [name, read] of Object.entries(OTHER_MANUALS)) {
    const other = read();
    Object.assign(rows, await knownItems(`names of ${name}`, some(other.queries), await open(other)));
  }
  return rows;
}

async function judgedCollections(): Promise<Figures> {
  const rows: Record<string, Figures[string]> = {};
  for (const name of JUDGED) {
    const collection = judged(name);
    const site = await open(collection);
    for (const way of WAYS) rows[`${name}, by ${way}`] = await judgedQueries(collection, site, way);
  }
  return rows;
}

function some<T>(queries: readonly T[]): readonly T[] {
  return queries.filter((_, i) => i % EVERY === 0);
}

/** Ranks the pages that are known to answer. Returns one row for each way. */
async function knownItems(name: string, queries: readonly Query[], site: IndexedSite): Promise<Figures> {
  const rows: Record<string, Figures[string]> = {};
  for (const way of WAYS) {
    const found: Found[] = [];
    for (const query of queries) found.push(await searched(query, site, way));
    const mean = (of: (one: Found) => number) =>
      Number((found.reduce((sum, one) => sum + of(one), 0) / found.length).toFixed(3));
    rows[`${name}, by ${way}`] = {
      count: queries.length,
      'MRR@10': mean(({ reciprocal }) => reciprocal),
      'hit@1': mean(({ hit }) => hit),
      'recall@3': mean(({ recall }) => recall),
      'precision@3': mean(({ precision }) => precision),
      'found at 0.3': mean(({ passed }) => passed),
    };
  }
  return rows;
}

type Found = Readonly<Record<'reciprocal' | 'hit' | 'recall' | 'precision' | 'passed', number>>;

async function searched({ text, answers: right }: Query, site: IndexedSite, way: Way): Promise<Found> {
  const results = await site.search(text, way);
  const index = results.findIndex(({ url }) => right.includes(url));
  const good = results.slice(0, 3).filter(({ url }) => right.includes(url)).length;
  return {
    reciprocal: index < 0 ? 0 : 1 / (index + 1),
    hit: index === 0 ? 1 : 0,
    recall: good / right.length,
    precision: good / 3,
    passed: results.some(({ url, score }) => right.includes(url) && score >= USUAL_SCORE) ? 1 : 0,
  };
}

/** Measures the order by itself, and the part of it above the default `minScore`. */
async function judgedQueries({ queries }: JudgedCollection, site: IndexedSite, way: Way): Promise<Figures[string]> {
  const sums = { all: 0, passed: 0, empty: 0 };
  for (const { text, grades } of queries) {
    const results = await site.search(text, way);
    const passed = results.filter(({ score }) => score >= USUAL_SCORE);
    sums.all += ndcg10(urlsOf(results), grades);
    sums.passed += ndcg10(urlsOf(passed), grades);
    if (passed.length === 0) sums.empty++;
  }
  const mean = (sum: number) => Number((sum / queries.length).toFixed(3));
  const figures = {
    'nDCG@10': mean(sums.all),
    'nDCG@10 at 0.3': mean(sums.passed),
    'nothing at 0.3': mean(sums.empty),
  };
  return { count: queries.length, ...figures };
}

function urlsOf(results: readonly { readonly url: string }[]): readonly string[] {
  return results.map(({ url }) => url);
}

function fixture(file: string): readonly string[] {
  return readFileSync(new URL(`support/fixtures/${file}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

/** Measures queries of other domains that share a word with the PostgreSQL manual. Their best pages must score low. */
async function homonyms(site: IndexedSite): Promise<Figures> {
  const scores: number[] = [];
  for (const text of fixture('homonyms')) scores.push((await site.search(text, 'both'))[0]?.score ?? 0);
  return {
    'PostgreSQL: homonyms': {
      count: scores.length,
      'highest score': Number(Math.max(...scores).toFixed(3)),
      'found at 0.3': scores.filter((score) => score >= USUAL_SCORE).length,
    },
  };
}

/**
 * Measures titles, which must come first with a high score, and invented words and queries of other domains, which must
 * find nothing.
 */
async function titlesAndNonsense(name: string, collection: Collection, site: IndexedSite): Promise<Figures> {
  const titles = some(titleQueries(collection));
  let certain = 0;
  for (const { text, answers: right } of titles) {
    const [first] = await site.search(text, 'both');
    if (first !== undefined && right.includes(first.url) && first.score >= TITLE_SCORE) certain++;
  }
  const finding = async (file: string): Promise<number> => {
    let found = 0;
    for (const text of fixture(file)) if (((await site.search(text, 'both'))[0]?.score ?? 0) >= USUAL_SCORE) found++;
    return found;
  };
  return {
    [`${name}: titles first with ${TITLE_SCORE}`]: {
      count: titles.length,
      share: Number((certain / titles.length).toFixed(3)),
    },
    [`${name}: invented words that find anything`]: { count: 100, share: (await finding('invented-words')) / 100 },
    [`${name}: queries of other domains that find anything`]: {
      count: 100,
      share: (await finding('other-domains')) / 100,
    },
  };
}
