import { mostTokens } from '../lambdas/domain/agents/token-budget.ts';
import { plainText } from '../lambdas/text/page-content.ts';
import type { Json } from '../test/support/answer.ts';
import { LocalService } from '../test/support/local-service.ts';
import { mcpClient } from '../test/support/mcp-client.ts';
import { type Figures, report } from './support/figures.ts';
import { askedCollections, foreignQuestions, hasAnswer } from './support/people-questions.ts';
import { answers } from './support/relevance-collections.ts';

/*
 * Measures what an agent gets that asks a site by MCP, over HTTP and with the official client: tokens of an answer with
 * both of its forms, by the estimate that bounds them, and whether the right page is first or among the results. The
 * first result is then read. SHOW=1 prints the questions whose page is not among the results.
 */

const QUESTIONS = 200;
const BATCH = 50;

type Asked = {
  readonly pages: readonly {
    readonly url: string;
    readonly content: Parameters<typeof plainText>[0] & { readonly title: string };
  }[];
  readonly questions: readonly { readonly text: string; readonly pages: readonly string[] }[];
};

const collections: readonly (readonly [string, Asked])[] = [
  ...askedCollections().map(([name, { pages, questions }]): readonly [string, Asked] => [
    name,
    { pages, questions: questions.filter(hasAnswer).map(({ text, page = '' }) => ({ text, pages: [page] })) },
  ]),
  ['documentation', productDocumentation()],
];

/** Joins the passages of a page, whose addresses have the anchors of their headings. */
function productDocumentation(): Asked {
  const { pages, queries } = answers();
  const bare = (url: string): string => url.split('#')[0] ?? url;
  const byPage = Map.groupBy(pages, ({ url }) => bare(url));
  return {
    pages: [...byPage].map(([url, [first, ...others]]) => ({
      url,
      content: {
        title: first?.content.title ?? url,
        blocks: [first, ...others].flatMap((passage) => passage?.content.blocks ?? []),
      },
    })),
    questions: queries.map(({ text, answers: right }) => ({ text, pages: right.map(bare) })),
  };
}

/** The collections to measure, by their names. @default all */
const wanted = process.argv.slice(2);
const service = await LocalService.start();
try {
  const rows: Record<string, Figures[string]> = {};
  for (const [name, asked] of collections)
    if (wanted.length === 0 || wanted.includes(name)) rows[name] = await measured(asked);
  report(rows);
} finally {
  await service.end();
}

async function measured({ pages, questions }: Asked): Promise<Figures[string]> {
  const siteId = await service.createSite('https://docs.example/');
  await service.api('PUT', `/sites/${siteId}`, { publicAccess: { mcpEnabled: true } });
  const ingested = pages.map(({ url, content }) => ({
    url,
    title: content.title || url,
    content: plainText(content),
    contentType: 'text',
    preProcessed: true,
  }));
  for (let from = 0; from < ingested.length; from += BATCH)
    await service.api('POST', `/sites/${siteId}/pages`, { pages: ingested.slice(from, from + BATCH) });
  const client = await mcpClient(`${service.ready.publicUrl}/public/sites/${siteId}/mcp`, { revision: '2026-07-28' });
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { content, structuredContent } = await client.callTool({ name: tool, arguments: args });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    return {
      tokens: mostTokens(text + JSON.stringify(structuredContent)),
      shown: structuredContent as unknown as Json,
    };
  };
  const searchTokens: number[] = [];
  const fetchTokens: number[] = [];
  const ranks: number[] = [];
  const sample = questions.filter((_, i) => i % Math.ceil(questions.length / QUESTIONS) === 0).slice(0, QUESTIONS);
  for (const { text, pages: right } of sample) {
    const { tokens, shown } = await call('search', { query: text.slice(0, 1000) });
    searchTokens.push(tokens);
    const found = (shown.results as unknown as readonly { readonly id: string }[]) ?? [];
    const rank = found.findIndex(({ id }) => right.includes(id)) + 1;
    if (rank === 0 && process.env.SHOW !== undefined) console.log(text, found.map(({ id }) => id).join(' '));
    ranks.push(rank);
    const [best] = found;
    if (best) fetchTokens.push((await call('fetch', { id: best.id })).tokens);
  }
  const foreign = foreignQuestions().slice(0, QUESTIONS);
  let nothing = 0;
  for (const query of foreign) {
    const { shown } = await call('search', { query: query.slice(0, 1000) });
    if (shown.totalResults === (0 as unknown as Json)) nothing++;
  }
  await client.close();
  const share = (of: readonly unknown[], all: number): number => Number((of.length / all).toFixed(3));
  return {
    questions: sample.length,
    first: share(
      ranks.filter((rank) => rank === 1),
      sample.length,
    ),
    'in the answer': share(
      ranks.filter((rank) => rank > 0),
      sample.length,
    ),
    'foreign: nothing': Number((nothing / foreign.length).toFixed(3)),
    ...figuresOf('search', searchTokens),
    ...figuresOf('fetch', fetchTokens),
  };
}

function figuresOf(name: string, tokens: readonly number[]): Figures[string] {
  const sorted = tokens.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return {
    [`${name}: mean tokens`]: Math.round(sorted.reduce((sum, each) => sum + each, 0) / Math.max(1, sorted.length)),
    [`${name}: p95`]: at(0.95),
    [`${name}: max`]: at(1),
  };
}
