import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pageIndex } from '#adapters/page-index';
import { builtinEmbedder } from '../lambdas/adapters/embedder-builtin.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import {
  answers,
  type Collection,
  OTHER_MANUALS,
  postgresql,
  type Query,
  titleQueries,
} from './relevance-collections.ts';
import { type IndexedSite, indexCollection, type Way } from './relevance-search.ts';

const WAYS: readonly Way[] = ['words', 'vectors', 'both'];
/** What a visitor's search has where it says nothing else. */
const USUAL_SCORE = 0.3;
/** A page that is asked for by its title. */
const TITLE_SCORE = 0.6;

type Row = Readonly<Record<string, string | number>>;

const { values: options } = parseArgs({ options: { more: { type: 'boolean', default: false } } });
const embedder = builtinEmbedder();
const close = await openLocalStore();
try {
  const open = (collection: Collection): Promise<IndexedSite> => indexCollection(collection, pageIndex, embedder);
  const [manual, questions] = [postgresql(), answers()];
  const [manualSite, questionSite] = [await open(manual), await open(questions)];
  const half = ({ queries }: Collection, rest: number) => queries.filter((_, place) => place % 2 === rest);
  const rows: Row[] = [
    ...(await knownItems('PostgreSQL index terms, tuned on', half(manual, 0), manualSite)),
    ...(await knownItems('PostgreSQL index terms, held out', half(manual, 1), manualSite)),
    ...(await knownItems('questions, tuned on', half(questions, 0), questionSite)),
    ...(await knownItems('questions, held out', half(questions, 1), questionSite)),
    ...(await knownItems('questions, all', questions.queries, questionSite)),
  ];
  if (options.more) {
    for (const [name, read] of Object.entries(OTHER_MANUALS)) {
      const other = read();
      rows.push(...(await knownItems(`names of ${name}`, other.queries, await open(other))));
    }
  }
  console.table(rows);
  console.table([
    ...(await withoutAnswer('PostgreSQL', manual, manualSite)),
    ...(await withoutAnswer('questions', questions, questionSite)),
  ]);
} finally {
  await close();
}

/** One row a way: how high the pages stand that are known to answer. */
async function knownItems(name: string, queries: readonly Query[], site: IndexedSite): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const way of WAYS) {
    const figures: Figures[] = [];
    for (const query of queries) figures.push(await figuresOf(query, site, way));
    const mean = (of: (figure: Figures) => number) =>
      (figures.reduce((sum, figure) => sum + of(figure), 0) / figures.length).toFixed(3);
    rows.push({
      ...{ queries: name, count: queries.length, by: way },
      ...{ 'MRR@10': mean(({ reciprocal }) => reciprocal), 'hit@1': mean(({ hit }) => hit) },
      ...{ 'recall@3': mean(({ recall }) => recall), 'precision@3': mean(({ precision }) => precision) },
      'found at 0.3': mean(({ passed }) => passed),
    });
  }
  return rows;
}

type Figures = Readonly<Record<'reciprocal' | 'hit' | 'recall' | 'precision' | 'passed', number>>;

async function figuresOf({ text, answers: right }: Query, site: IndexedSite, way: Way): Promise<Figures> {
  const results = await site.search(text, way);
  const place = results.findIndex(({ url }) => right.includes(url));
  const good = results.slice(0, 3).filter(({ url }) => right.includes(url)).length;
  return {
    reciprocal: place < 0 ? 0 : 1 / (place + 1),
    hit: place === 0 ? 1 : 0,
    recall: good / right.length,
    precision: good / 3,
    passed: results.some(({ url, score }) => right.includes(url) && score >= USUAL_SCORE) ? 1 : 0,
  };
}

/** Titles must come first and be sure; invented words and what is about other things must find nothing. */
async function withoutAnswer(name: string, collection: Collection, site: IndexedSite): Promise<readonly Row[]> {
  const titles = titleQueries(collection);
  const sure: string[] = [];
  for (const { text, answers: right } of titles) {
    const [first] = await site.search(text, 'both');
    if (first !== undefined && right.includes(first.url) && first.score >= TITLE_SCORE) sure.push(text);
  }
  const finding = async (file: string): Promise<number> => {
    const texts = readFileSync(new URL(`fixtures/${file}.txt`, import.meta.url), 'utf8')
      .trim()
      .split('\n');
    let found = 0;
    for (const text of texts) if (((await site.search(text, 'both'))[0]?.score ?? 0) >= USUAL_SCORE) found++;
    return found;
  };
  return [
    { site: name, what: `titles first with ${TITLE_SCORE}, of ${titles.length}`, figure: sure.length / titles.length },
    { site: name, what: 'invented words that find anything, of 100', figure: await finding('invented-words') },
    { site: name, what: 'other domains that find anything, of 100', figure: await finding('other-domains') },
  ];
}
