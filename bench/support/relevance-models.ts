import { pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { calibratingEmbedder } from '../../lambdas/connectors/embedder/calibration.ts';
import { openaiEmbedder } from '../../lambdas/connectors/embedder/openai.ts';
import { NO_KEY } from '../../lambdas/connectors/provider/provider-key.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { Figures } from './figures.ts';
import { type JudgedCollection, judged, ndcg10 } from './judged-collections.ts';
import { indexCollection } from './relevance-search.ts';

/*
 * Measures the judged collections with the model of a provider (`--model` with OPENAI_BASE_URL, EMBEDDING_MODEL and
 * EMBEDDING_DIMENSIONS), and with the same model after its vectors are moved into a narrow cone. Both must find as
 * much.
 */

/** Each cosine c becomes (1 - NARROWNESS) * c + NARROWNESS. */
const NARROWNESS = 0.7;
const DEADLINE_MS = 10_000;
const TEXTS_AT_A_TIME = 4;
const MAX_RESULTS = 100;
const USUAL_SCORE = 0.3;

type Options = {
  readonly baseUrl: string;
  readonly model: string;
  readonly dimensions: number;
  /** The number of documents and queries of each collection that are used, from the first. */
  readonly documents: number;
};

/** Reads the variables of the environment; DOCUMENTS=100 makes a short run. */
export function modelOfProvider(): Options {
  const { OPENAI_BASE_URL: baseUrl, EMBEDDING_MODEL: model, EMBEDDING_DIMENSIONS, DOCUMENTS } = process.env;
  if (!baseUrl || !model || !EMBEDDING_DIMENSIONS)
    throw new Error('--model needs OPENAI_BASE_URL, EMBEDDING_MODEL and EMBEDDING_DIMENSIONS');
  return { baseUrl, model, dimensions: Number(EMBEDDING_DIMENSIONS), documents: Number(DOCUMENTS ?? Infinity) };
}

export async function withModel(names: readonly string[], { documents, ...of }: Options): Promise<Figures> {
  const own = patient(openaiEmbedder({ ...of, key: { read: async () => NO_KEY, forget: () => undefined } }));
  const rows: Record<string, Figures[string]> = {};
  for (const name of names) {
    const collection = judged(name);
    const cut = { pages: collection.pages.slice(0, documents), queries: collection.queries.slice(0, documents) };
    rows[name] = await judgedWith(cut, own);
    rows[`${name}, narrow`] = await judgedWith(cut, narrowed(own));
  }
  return rows;
}

/** Waits longer for the vector of a query than a visitor would, and sends a slow server few texts at a time. */
const patient = (embedder: Embedder): Embedder => ({
  ...embedder,
  async embedTexts(texts) {
    const found: Awaited<ReturnType<Embedder['embedTexts']>>[number][] = [];
    for (let from = 0; from < texts.length; from += TEXTS_AT_A_TIME)
      found.push(...(await embedder.embedTexts(texts.slice(from, from + TEXTS_AT_A_TIME))));
    return found;
  },
  embedQuery: (query) => embedder.embedQuery(query, DEADLINE_MS),
});

function narrowed(embedder: Embedder): Embedder {
  const narrow = (vector: Float32Array): Float32Array =>
    Float32Array.from([Math.sqrt(NARROWNESS), ...vector.map((number) => number * Math.sqrt(1 - NARROWNESS))]);
  return {
    ...embedder,
    space: `${embedder.space}-narrow`,
    dimensions: embedder.dimensions + 1,
    async embedTexts(texts) {
      const embedded = await embedder.embedTexts(texts);
      return embedded.map((one) => one && { ...one, vector: narrow(one.vector) });
    },
    async embedQuery(query, deadlineMs) {
      const vector = await embedder.embedQuery(query, deadlineMs);
      return vector && narrow(vector);
    },
  };
}

async function judgedWith(collection: JudgedCollection, embedder: Embedder): Promise<Figures[string]> {
  const measured = calibratingEmbedder(embedder, { table, clock: Date.now });
  const site = await indexCollection(collection, pageIndex, measured);
  const sums = { 'nDCG@10': 0, 'nDCG@10 at 0.3': 0, 'nothing at 0.3': 0, 'results at 0.3': 0 };
  for (const { text, grades } of collection.queries) {
    const { results } = await site.ask({ query: text, limit: MAX_RESULTS, minScore: 0 });
    const passed = results.filter(({ score }) => score >= USUAL_SCORE);
    const gain = (list: typeof results) =>
      ndcg10(
        list.map(({ url }) => url),
        grades,
      );
    sums['nDCG@10'] += gain(results);
    sums['nDCG@10 at 0.3'] += gain(passed);
    sums['nothing at 0.3'] += Number(passed.length === 0);
    sums['results at 0.3'] += passed.length;
  }
  const means = Object.entries(sums).map(([name, sum]) => [name, Number((sum / collection.queries.length).toFixed(3))]);
  const { low = Number.NaN, high = Number.NaN } = (await measured.scale?.()) ?? {};
  return { ...Object.fromEntries(means), low: Number(low.toFixed(2)), high: Number(high.toFixed(2)) };
}
