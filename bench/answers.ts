import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageIndex } from '#adapters/page-index';
import { builtinEmbedder } from '../lambdas/connectors/embedder/builtin.ts';
import { AnswerPieces } from '../lambdas/domain/answers/answer-pieces.ts';
import { siteScope } from '../lambdas/domain/answers/chat-scope.ts';
import { CitationCheck } from '../lambdas/domain/answers/checked-answer.ts';
import { extractiveAnswer } from '../lambdas/domain/answers/extractive-answer.ts';
import { findSources, type Source } from '../lambdas/domain/answers/sources.ts';
import { sentencesOf } from '../lambdas/text/words/sentences.ts';
import { prepareSearchIndex } from '../local/server/search-index.ts';
import { openLocalStore } from '../test/support/local-store.ts';
import { answerLatency } from './support/answer-latency.ts';
import { type Figures, report } from './support/figures.ts';
import { readAnswers } from './support/read-answers.ts';
import { refusals } from './support/refusals.ts';
import { answers, type Query } from './support/relevance-collections.ts';
import { indexCollection } from './support/relevance-search.ts';

/*
 * Measures answers to the 50 questions about documentation: whether the first quoted page is right, whether questions
 * about other subjects are refused, and which sentences of a model pass the check. True sentences are those of the
 * answers that people wrote. Invented sentences are those of other answers, and true ones with another number or a
 * negation.
 */

const MATERIAL = process.env.MATERIAL_DIR ?? '../shared/material';
const SHOW = process.env.SHOW !== undefined;
/** The distances to the questions whose sentences are put into an answer. */
const STRANGERS = [7, 19, 31];

const embedder = builtinEmbedder();
const collection = answers();
const close = await openLocalStore();
await prepareSearchIndex();
try {
  const { site } = await indexCollection(collection, pageIndex, embedder);
  const deps = { index: pageIndex, embedder, clock: Date.now };
  const scope = siteScope(site);
  const sourcesOf = async (query: string) => (await findSources(scope, { query }, deps)).sources;
  if (process.argv.includes('--read')) report(await readAnswers(embedder));
  if (process.argv.includes('--latency')) report(await answerLatency(embedder));
  report(await quoted(collection.queries, sourcesOf));
  report(await refusals(embedder));
  report(await checked());
} finally {
  await close();
}

async function quoted(queries: readonly Query[], sourcesOf: (query: string) => Promise<readonly Source[]>) {
  let right = 0;
  let words = 0;
  for (const { text, answers: urls } of queries) {
    const { answer, sources } = await extractiveAnswer(text, await sourcesOf(text), ['en'], embedder);
    if (sources[0] && urls.includes(sources[0].url)) right++;
    words = Math.max(words, answer.split(/\s+/).length);
    if (SHOW) console.log(`${text}\n  ${answer.replaceAll('\n', '\n  ')}\n`);
  }
  return { 'first quoted page is right': { share: share(right, queries.length), 'most words': words } };
}

type Kind = 'true' | 'of another answer' | 'another number' | 'denied';

async function checked(): Promise<Figures> {
  const read = <T>(name: string): readonly T[] => JSON.parse(readFileSync(join(MATERIAL, 'answers', name), 'utf8'));
  const questions = read<{ answer: string; urls: readonly string[] }>('questions.json');
  const chunks = read<{ url: string; heading: string; text: string }>('chunks.json');
  const sourceOf = (url: string): readonly Source[] =>
    chunks.flatMap(({ heading, text, ...chunk }) =>
      chunk.url === url
        ? [
            {
              url,
              title: heading,
              text,
              headed: `${heading}\n${text}`,
              language: 'en',
              relevance: 1,
              version: url,
              parts: [],
            },
          ]
        : [],
    );
  const kept = new Map<Kind, boolean[]>();
  for (const [index, { answer, urls }] of questions.entries()) {
    const check = new CitationCheck(urls.flatMap(sourceOf), embedder);
    const citations = urls.map((_, i) => ` [${i + 1}]`).join('');
    const put = async (kind: Kind, sentence: string) => {
      const pieces = new AnswerPieces();
      const all = [...pieces.add(sentence + citations), ...pieces.end()];
      const parts = await Promise.all(all.map((piece) => check.checked(piece)));
      kept.set(kind, [...(kept.get(kind) ?? []), parts.some((part) => part !== '')]);
      if (SHOW && (kind === 'true') !== parts.some((part) => part !== '')) console.log(`${kind}: ${sentence}`);
    };
    for (const sentence of sentencesOf(answer)) {
      await put('true', sentence);
      const denied = sentence.replace(/\b(is|are|can|does|will|should)\b(?! not)/, '$1 not');
      if (denied !== sentence) await put('denied', denied);
      if (/\d/.test(sentence))
        await put(
          'another number',
          sentence.replace(/\d+/, (number) => String(Number(number) + 3)),
        );
    }
    for (const distance of STRANGERS) {
      const other = questions[(index + distance) % questions.length]?.answer ?? '';
      for (const sentence of sentencesOf(other)) await put('of another answer', sentence);
    }
  }
  return Object.fromEntries(
    Array.from(kept, ([kind, all]) => {
      const left = all.filter((isKept) => !isKept).length;
      return [`sentences: ${kind}`, { count: all.length, 'left out': share(left, all.length) }];
    }),
  );
}

function share(part: number, whole: number): number {
  return Number((part / whole).toFixed(3));
}
