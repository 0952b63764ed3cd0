import { pageIndex } from '#adapters/page-index';
import { siteScope } from '../../lambdas/domain/answers/chat-scope.ts';
import { findSources } from '../../lambdas/domain/answers/sources.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import { searchPassages } from '../../lambdas/domain/search/search-passages.ts';
import type { Figures } from './figures.ts';
import { judged } from './judged-collections.ts';
import { POSTGRESQL_QUESTIONS } from './manual-questions.ts';
import { answers, type Collection, postgresql } from './relevance-collections.ts';
import { indexCollection } from './relevance-search.ts';

type Asked = { readonly score: number; readonly isRefused: boolean };
type Half = { readonly own: Asked[]; readonly others: Asked[] };

/**
 * Measures questions that pages answer, and questions about other subjects. The queries of Cranfield and CISI are sent
 * to each other's collection, to the PostgreSQL manual, and to the documentation of the 50 questions. The floor was
 * tuned on every second query.
 */
export async function refusals(embedder: Embedder): Promise<Figures> {
  const foreign = { cran: textsOf('cran'), cisi: textsOf('cisi') };
  const collections: readonly (readonly [string, Pick<Collection, 'pages'>, readonly string[], readonly string[]])[] = [
    ['documentation', answers(), answers().queries.map(({ text }) => text), [...foreign.cran, ...foreign.cisi]],
    ['PostgreSQL 15', postgresql(), POSTGRESQL_QUESTIONS.map(([text]) => text), [...foreign.cran, ...foreign.cisi]],
    ['Cranfield', judged('cran'), foreign.cran, foreign.cisi],
    ['CISI', judged('cisi'), foreign.cisi, foreign.cran],
  ];
  const halves: readonly [Half, Half] = [
    { own: [], others: [] },
    { own: [], others: [] },
  ];
  const figures: Record<string, Figures[string]> = {};
  for (const [name, { pages }, own, others] of collections) {
    const ask = await asker(pages, embedder);
    const asked: Half = { own: [], others: [] };
    for (const kind of ['own', 'others'] as const)
      for (const [i, text] of (kind === 'own' ? own : others).entries()) {
        const one = await ask(text.slice(0, 2048));
        asked[kind].push(one);
        halves[i % 2 === 0 ? 0 : 1][kind].push(one);
      }
    figures[name] = figuresOf(asked);
  }
  return { ...figures, 'all, tuned on': figuresOf(halves[0]), 'all, held out': figuresOf(halves[1]) };
}

const textsOf = (name: string): readonly string[] => judged(name).queries.map(({ text }) => text);

async function asker(pages: Collection['pages'], embedder: Embedder): Promise<(query: string) => Promise<Asked>> {
  const { site } = await indexCollection({ pages }, pageIndex, embedder);
  const deps = { index: pageIndex, embedder, clock: Date.now };
  return async (query) => {
    const request = { query, limit: 1, minScore: 0, further: 0 };
    const { passages } = await searchPassages([{ site, filters: [] }], request, deps);
    const { sources } = await findSources(siteScope(site), { query }, deps);
    return { score: passages[0]?.score ?? 0, isRefused: sources.length === 0 };
  };
}

function figuresOf({ own, others }: Half): Figures[string] {
  let wins = 0;
  for (const a of own) for (const b of others) wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0;
  const share = (part: number, whole: number) => Number((part / whole).toFixed(3));
  const refused = (all: readonly Asked[]) => share(all.filter(({ isRefused }) => isRefused).length, all.length);
  return {
    questions: own.length,
    AUC: share(wins, own.length * others.length),
    refused: refused(own),
    others: others.length,
    'others refused': refused(others),
  };
}
