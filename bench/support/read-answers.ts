import { pageIndex } from '#adapters/page-index';
import { siteScope } from '../../lambdas/domain/answers/chat-scope.ts';
import { extractiveAnswer } from '../../lambdas/domain/answers/extractive-answer.ts';
import { findSources } from '../../lambdas/domain/answers/sources.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { Figures } from './figures.ts';
import { type ManualQuestion, POSTGRESQL_QUESTIONS, SQLITE_QUESTIONS } from './manual-questions.ts';
import { type Collection, OTHER_MANUALS, postgresql } from './relevance-collections.ts';
import { indexCollection } from './relevance-search.ts';

/** Prints the answers to questions about two manuals, for reading. Counts how many cite a right page first. */
export async function readAnswers(embedder: Embedder): Promise<Figures> {
  return {
    'PostgreSQL 15': await readManual(postgresql(), POSTGRESQL_QUESTIONS, embedder),
    SQLite: await readManual(OTHER_MANUALS['sqlite3-doc'](), SQLITE_QUESTIONS, embedder),
  };
}

async function readManual(
  { pages }: Collection,
  questions: readonly ManualQuestion[],
  embedder: Embedder,
): Promise<Figures[string]> {
  const { site } = await indexCollection({ pages }, pageIndex, embedder);
  let right = 0;
  let refused = 0;
  let words = 0;
  for (const [question, ...answers] of questions) {
    const { sources } = await findSources(
      siteScope(site),
      { query: question },
      { index: pageIndex, embedder, clock: Date.now },
    );
    const quoted = await extractiveAnswer(question, sources, ['en'], embedder);
    const cited = quoted.sources.map(({ url }) => new URL(url).pathname.slice(1));
    const isRight = answers.some((page) => cited[0]?.startsWith(page));
    if (isRight) right++;
    if (sources.length === 0) refused++;
    words = Math.max(words, quoted.answer.split(/\s+/).length);
    console.log(
      `${isRight ? '' : '? '}${question}\n  ${cited.join(', ')}\n  ${quoted.answer.replaceAll('\n', '\n  ')}\n`,
    );
  }
  return { questions: questions.length, 'right page first': right, refused, 'most words': words };
}
