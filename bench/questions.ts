import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import { type ChatOutcome, chat } from '../lambdas/domain/answers/chat.ts';
import { siteScope } from '../lambdas/domain/answers/chat-scope.ts';
import { ingestedContent } from '../lambdas/domain/pages/ingest/ingested-content.ts';
import { DEFAULT_MIN_SCORE } from '../lambdas/domain/search/search-request.ts';
import { plainText } from '../lambdas/text/page-content.ts';
import { sentencesOf } from '../lambdas/text/words/sentences.ts';
import { prepareSearchIndex } from '../local/server/search-index.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { type Figures, report } from './support/figures.ts';
import { judged } from './support/judged-collections.ts';
import type { Collection } from './support/relevance-collections.ts';
import { type IndexedSite, indexCollection } from './support/relevance-search.ts';

/*
 * Measures questions that people asked, on the passages that answer them: whether the right page is first, is hidden by
 * the default `minScore`, is quoted with the right sentence, and whether questions that no page answers are refused.
 * SHOW=1 prints the failures.
 */

const FOLDER = join(process.env.MATERIAL_DIR ?? '../shared/material', 'questions');
const LANGUAGES = ['en', 'de', 'es', 'zh'] as const;
const SHOW = process.env.SHOW !== undefined;

const hasAnswer = ({ page }: Question): boolean => page !== undefined;

function show(title: string, answer = ''): void {
  if (SHOW) console.log([title, ...answer.split('\n')].join('\n  '));
}

/**
 * `sentences` are those that annotators chose. `words` are those of the answer. Without a page, nothing answers the
 * question.
 */
type Question = {
  readonly text: string;
  readonly page?: string;
  readonly sentences?: readonly string[];
  readonly words?: string;
};
type Asked = Pick<Collection, 'pages'> & { readonly questions: readonly Question[] };

const urlOf = (index: number): string => `https://docs.example/${index}`;

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const shareOf =
  (whole: number) =>
  (part: number): number =>
    Number((part / whole).toFixed(3));

const untitled = ({ url, content }: Collection['pages'][number]) => page(url, '', plainText(content), 'en');

const embedder = builtinEmbedder();
const close = await openLocalStore();
await prepareSearchIndex();
try {
  const rows: Record<string, Figures[string]> = {};
  const people = peoplesQuestions();
  const collections: readonly (readonly [string, Asked])[] = [
    ['people', people],
    ['people, without titles', { ...people, pages: people.pages.map(untitled) }],
    ...LANGUAGES.map((language) => [language, paragraphs(language)] as const),
  ];
  const foreign = [...judged('cran').queries, ...judged('cisi').queries].map(({ text }) => text);
  for (const [name, asked] of collections) {
    const indexed = await indexCollection(asked, pageIndex, embedder);
    rows[name] = {
      ...(await found(asked, indexed)),
      ...(await answered(asked, indexed)),
      ...(asked.questions === people.questions && { 'foreign found': await foundAny(foreign, indexed) }),
    };
  }
  report(rows);
} finally {
  await close();
}

function peoplesQuestions(): Asked {
  type Line = {
    readonly question: string;
    readonly title: string;
    readonly passage: string;
    readonly answerable: boolean;
    readonly answers: readonly { readonly sentences: readonly string[] }[];
  };
  const lines = readFileSync(join(FOLDER, 'answers.jsonl'), 'utf8').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Line);
  const passages = [...new Map(records.map(({ title, passage }) => [passage, title]))];
  const urls = new Map(passages.map(([passage], i) => [passage, urlOf(i)]));
  return {
    pages: passages.map(([passage, title], i) => page(urlOf(i), title, passage, 'en')),
    questions: records.map(({ question, passage, answerable, answers }) => ({
      text: question,
      ...(answerable && {
        page: urls.get(passage) ?? '',
        sentences: answers.flatMap(({ sentences }) => sentences),
      }),
    })),
  };
}

function paragraphs(language: string): Asked {
  const { pages, questions } = JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as {
    readonly pages: readonly string[];
    readonly questions: readonly { readonly question: string; readonly page: number; readonly answer: string }[];
  };
  return {
    pages: pages.map((text, i) => page(urlOf(i), '', text, language)),
    questions: questions.map(({ question, page: index, answer }) => ({
      text: question,
      page: urlOf(index),
      words: answer,
    })),
  };
}

function page(url: string, title: string, text: string, language: string): Collection['pages'][number] {
  const content = ingestedContent({ url, title, content: text, contentType: 'text', preProcessed: false }, url);
  return { url, content: { ...content, language } };
}

/** Measures questions that a page answers. */
async function found({ questions }: Asked, { search }: IndexedSite): Promise<Figures[string]> {
  const ranks: number[] = [];
  let [nothing, hidden] = [0, 0];
  const answerable = questions.filter(hasAnswer);
  for (const { text, page } of answerable) {
    const results = await search(text, 'both');
    const rank = results.findIndex(({ url }) => url === page) + 1;
    ranks.push(rank);
    const score = results[0]?.score ?? 0;
    if (score >= DEFAULT_MIN_SCORE) continue;
    nothing++;
    if (rank === 1) hidden++;
    show(`hidden, rank ${rank}: ${text} (${score})`);
  }
  const share = shareOf(answerable.length);
  const upTo = (most: number): number => share(ranks.filter((rank) => rank > 0 && rank <= most).length);
  return {
    answerable: answerable.length,
    MRR: share(ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0)),
    first: upTo(1),
    'first 3': upTo(3),
    'first, hidden': share(hidden),
    'finds nothing': share(nothing),
  };
}

async function answered({ questions }: Asked, { site }: IndexedSite): Promise<Figures[string]> {
  const answers: { readonly question: Question; readonly answer: string }[] = [];
  const refused: Question[] = [];
  for (const question of questions) {
    const { answer, refused: isRefused } = await outcome(question.text, site);
    if (isRefused) refused.push(question);
    else answers.push({ question, answer });
    if (isRefused === hasAnswer(question)) show(`${isRefused ? '' : 'not '}refused: ${question.text}`, answer);
  }
  const right = answers.filter(({ question }) => hasAnswer(question));
  const quoted = right.filter(({ question, answer }) => {
    const isQuoted = quotes(answer, question);
    if (!isQuoted) show(`not quoted: ${question.text}`, answer);
    return isQuoted;
  });
  const others = questions.length - questions.filter(hasAnswer).length;
  const share = shareOf(questions.length - others);
  return {
    answered: share(right.length),
    // With chosen sentences this is a share of the right answers, with words of the answer a share of all questions.
    quoted: questions[0]?.words === undefined ? shareOf(right.length)(quoted.length) : share(quoted.length),
    'over 2 sentences': shareOf(right.length)(right.filter(({ answer }) => sentencesOf(answer).length > 2).length),
    ...(others > 0 && {
      'no answer': others,
      refused: shareOf(others)(refused.filter((one) => !hasAnswer(one)).length),
    }),
  };
}

/** Tells whether an answer contains a chosen sentence, or the words of the answer. */
function quotes(answer: string, { sentences = [], words }: Question): boolean {
  const text = bare(answer);
  return words === undefined ? sentences.some((sentence) => text.includes(bare(sentence))) : text.includes(bare(words));
}

async function outcome(text: string, site: IndexedSite['site']): Promise<ChatOutcome> {
  const deps = {
    ...{ index: pageIndex, embedder, comparer: embedder, table, clock: Date.now, model: undefined },
    ...{ newSessionId: () => 'session', newBoundary: () => 'boundary', report: () => undefined },
    signal: new AbortController().signal,
  };
  const steps = chat(siteScope(site), { question: text }, deps);
  for (;;) {
    const { value, done } = await steps.next();
    if (done) return value;
  }
}

async function foundAny(queries: readonly string[], { search }: IndexedSite): Promise<number> {
  let any = 0;
  for (const query of queries) {
    const [best] = await search(query.slice(0, 2048), 'both');
    if ((best?.score ?? 0) < DEFAULT_MIN_SCORE) continue;
    any++;
    show(`foreign found: ${query} (${best?.score}, ${best?.title})`);
  }
  return shareOf(queries.length)(any);
}
