import { pageIndex } from '#adapters/page-index';
import { siteScope } from '../../lambdas/domain/answers/chat-scope.ts';
import { extractiveAnswer } from '../../lambdas/domain/answers/extractive-answer.ts';
import { findSources } from '../../lambdas/domain/answers/sources.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { Figures } from './figures.ts';
import { POSTGRESQL_QUESTIONS, SQLITE_QUESTIONS } from './manual-questions.ts';
import { OTHER_MANUALS, postgresql } from './relevance-collections.ts';
import { indexCollection } from './relevance-search.ts';

const ROUNDS = 4;

/** Measures wall clock and processor milliseconds of an answer without a model, in two manuals and a copy of one. */
export async function answerLatency(embedder: Embedder): Promise<Figures> {
  const { pages } = postgresql();
  const copies = pages.map(({ url, content }) => ({ url: url.replace('.html', '-2.html'), content }));
  const all = [...pages, ...copies, ...OTHER_MANUALS['sqlite3-doc']().pages];
  const { site, examined } = await indexCollection({ pages: all }, pageIndex, embedder);
  const [hit] = await examined('table');
  const deps = { index: pageIndex, embedder, clock: Date.now };
  const questions = [...POSTGRESQL_QUESTIONS, ...SQLITE_QUESTIONS].map(([text]) => text);
  const clock: number[] = [];
  const processor: number[] = [];
  const sourcesOnly: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const question of questions) {
      const [started, used] = [performance.now(), process.cpuUsage()];
      const { sources } = await findSources(siteScope(site), { query: question }, deps);
      const found = process.cpuUsage(used);
      await extractiveAnswer(question, sources, ['en'], embedder);
      const { user, system } = process.cpuUsage(used);
      if (round === 0) continue; // warm-up
      clock.push(performance.now() - started);
      processor.push((user + system) / 1000);
      sourcesOnly.push((found.user + found.system) / 1000);
    }
  return {
    'chunks of the site': { number: hit?.basis.statistics.chunks ?? 0 },
    'by the clock': quantiles(clock),
    processor: quantiles(processor),
    'of it, sources': quantiles(sourcesOnly),
  };
}

function quantiles(numbers: readonly number[]): Figures[string] {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
