import { pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import { type ChatOutcome, chat } from '../lambdas/domain/answers/chat.ts';
import { siteScope } from '../lambdas/domain/answers/chat-scope.ts';
import { DEFAULT_MIN_SCORE } from '../lambdas/domain/search/search-request.ts';
import { sentencesOf } from '../lambdas/text/words/sentences.ts';
import { prepareSearchIndex } from '../local/server/search-index.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { type Figures, report } from './support/figures.ts';
import {
  type Asked,
  askedCollections,
  foreignQuestions,
  hasAnswer,
  PEOPLE,
  type Question,
} from './support/people-questions.ts';
import { type IndexedSite, indexCollection } from './support/relevance-search.ts';

/*
 * Measures questions that people asked, on the passages that answer them: whether the right page is first, is hidden by
 * the default `minScore`, is quoted with the right sentence, and whether questions that no page answers are refused.
 * SHOW=1 prints the failures.
 */

const SHOW = process.env.SHOW !== undefined;

function show(title: string, answer = ''): void {
  if (SHOW) console.log([title, ...answer.split('\n')].join('\n  '));
}

/** Without the numbers of the sources. */
const sentenceCount = (answer: string): number => sentencesOf(answer.replace(/ \[\d\]/g, '')).length;

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const shareOf =
  (whole: number) =>
  (part: number): number =>
    Number((part / whole).toFixed(3));

const embedder = builtinEmbedder();
const close = await openLocalStore();
await prepareSearchIndex();
try {
  const rows: Record<string, Figures[string]> = {};
  const foreign = foreignQuestions();
  for (const [name, asked] of askedCollections()) {
    const indexed = await indexCollection(asked, pageIndex, embedder);
    rows[name] = {
      ...(await found(asked, indexed)),
      ...(await answered(asked, indexed)),
      ...(name.startsWith(PEOPLE) && { 'foreign found': await foundAny(foreign, indexed) }),
    };
  }
  report(rows);
} finally {
  await close();
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
    'over 2 sentences': shareOf(right.length)(right.filter(({ answer }) => sentenceCount(answer) > 2).length),
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
    index: pageIndex,
    embedder,
    comparer: embedder,
    table,
    clock: Date.now,
    model: undefined,
    newSessionId: () => 'session',
    newBoundary: () => 'boundary',
    report: () => undefined,
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
    const [best] = await search(query, 'both');
    if ((best?.score ?? 0) < DEFAULT_MIN_SCORE) continue;
    any++;
    show(`foreign found: ${query} (${best?.score}, ${best?.title})`);
  }
  return shareOf(queries.length)(any);
}
