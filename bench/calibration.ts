import { readFileSync } from 'node:fs';
import { pageIndex } from '#adapters/page-index';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import type { Hit } from '../lambdas/domain/search/find-pages.ts';
import { combined, explainScore, PROBABLY_RAW } from '../lambdas/domain/search/rank/ranking.ts';
import { plainText } from '../lambdas/text/page-content.ts';
import { prepareSearchIndex } from '../local/server/search-index.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { report } from './support/figures.ts';
import { judged } from './support/judged-collections.ts';
import { askedCollections, foreignQuestions, hasAnswer, type Question } from './support/people-questions.ts';
import { answers, postgresql } from './support/relevance-collections.ts';
import { type IndexedSite, indexCollection } from './support/relevance-search.ts';

/*
 * Fits the last step of the ranking formula: which raw score means "probably about this". Half of the questions decide.
 * The other half, questions about other subjects, and words drawn at random from pages of other sites check it.
 */

/** The share of questions whose right first page may be hidden, which decides. */
const MAX_HIDDEN = 0.02;
const STEPS = Array.from({ length: 14 }, (_, i) => 0.2 + 0.02 * i);
const DRAWN = 150;
/** One drawn word alone can be on the site, and is then found with good reason. */
const [MIN_WORDS, MAX_WORDS] = [3, 8] as const;

/** The raw score of the first page. A question has whether this page is the right one. */
type Asked = { readonly set: string; readonly raw: number; readonly isRight?: boolean };
type Half = { readonly questions: readonly Asked[]; readonly nonsense: readonly Asked[] };

const embedder = builtinEmbedder();
const close = await openLocalStore();
await prepareSearchIndex();
try {
  const asked = await askAll();
  const [toFit, toCheck] = [half(asked, 0), half(asked, 1)];
  const rows = STEPS.map((step) => [
    step.toFixed(2),
    {
      'right first, hidden': hidden(toFit.questions, step),
      'nonsense found': found(toFit.nonsense, step),
      'check: hidden': hidden(toCheck.questions, step),
      'check: found': found(toCheck.nonsense, step),
    },
  ]);
  report(Object.fromEntries(rows));
  const sets = [...new Set(asked.map(({ set }) => set))].map((set) => {
    const ofSet = asked.filter((one) => one.set === set);
    const isNonsense = ofSet.every(({ isRight }) => isRight === undefined);
    const name = isNonsense ? 'nonsense found' : 'right first, hidden';
    return [set, { count: ofSet.length, [name]: (isNonsense ? found : hidden)(ofSet, PROBABLY_RAW) }];
  });
  report(Object.fromEntries(sets));
  console.log(
    `${MAX_HIDDEN} of the right first pages are below ${fitted(toFit.questions)}; the formula has ${PROBABLY_RAW}.`,
  );
} finally {
  await close();
}

async function askAll(): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const others = judged('cran').pages;
  const documentation = answers();
  const manual = postgresql();
  for (const [name, { pages, questions }] of askedCollections()) {
    const site = await indexCollection({ pages }, pageIndex, embedder);
    for (const question of questions) if (hasAnswer(question)) asked.push(await askQuestion(name, question, site));
    if (pages.some(({ content }) => content.language !== 'en')) continue;
    asked.push(...(await askNonsense(`Cranfield and CISI, ${name}`, foreignQuestions(), site)));
    asked.push(...(await askNonsense(`words of Cranfield, ${name}`, drawn(others), site)));
    asked.push(...(await askNonsense(`words of PostgreSQL, ${name}`, drawn(manual.pages), site)));
  }
  const quoted = readFileSync(new URL('support/fixtures/other-domains.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  for (const [name, { pages }] of Object.entries({ PostgreSQL: manual, documentation })) {
    const site = await indexCollection({ pages }, pageIndex, embedder);
    asked.push(...(await askNonsense(`other domains, ${name}`, quoted, site)));
  }
  return asked;
}

async function askQuestion(set: string, { text, page }: Question, site: IndexedSite): Promise<Asked> {
  const best = await bestHit(text, site);
  return { set, raw: rawScore(best), isRight: best?.url === page };
}

async function askNonsense(set: string, queries: readonly string[], site: IndexedSite): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const query of queries) asked.push({ set, raw: rawScore(await bestHit(query, site)) });
  return asked;
}

async function bestHit(query: string, { examined }: IndexedSite): Promise<Hit | undefined> {
  return (await examined(query)).toSorted((a, b) => b.score - a.score)[0];
}

/** The score before the last step. */
function rawScore(hit: Hit | undefined): number {
  const chunk = hit?.ref.chunks.find(({ ord }) => ord === hit.chunk);
  if (!hit || !chunk) return 0;
  const { meaning, words, title, gate } = explainScore(hit.basis.terms, hit.basis.statistics, hit.ref, chunk);
  return combined(meaning, words, title) * gate;
}

/** The same words at each run. */
function drawn(pages: Parameters<typeof indexCollection>[0]['pages']): readonly string[] {
  const words = pages.flatMap(({ content }) => plainText(content).match(/\p{L}{3,}/gu) ?? []);
  let state = 1;
  const draw = (): string => {
    state = (state * 48_271) % 2_147_483_647;
    return words[state % words.length] ?? '';
  };
  const length = (i: number): number => MIN_WORDS + (i % (MAX_WORDS - MIN_WORDS + 1));
  return Array.from({ length: DRAWN }, (_, i) => Array.from({ length: length(i) }, draw).join(' '));
}

function half(asked: readonly Asked[], which: 0 | 1): Half {
  const ofHalf = asked.filter((_, i) => i % 2 === which);
  return {
    questions: ofHalf.filter(({ isRight }) => isRight !== undefined),
    nonsense: ofHalf.filter(({ isRight }) => isRight === undefined),
  };
}

function fitted(questions: readonly Asked[]): string {
  const right = questions.filter(({ isRight }) => isRight).map(({ raw }) => raw);
  return (right.sort((a, b) => a - b)[Math.floor(MAX_HIDDEN * questions.length)] ?? 0).toFixed(3);
}

function hidden(questions: readonly Asked[], least: number): number {
  return share(questions, ({ raw, isRight }) => isRight === true && raw < least);
}

function found(nonsense: readonly Asked[], least: number): number {
  return share(nonsense, ({ raw }) => raw >= least);
}

function share(all: readonly Asked[], passes: (one: Asked) => boolean): number {
  return Number((all.filter(passes).length / all.length).toFixed(3));
}
