import { type Json, listOf } from '../test/support/answer.ts';
import { LocalService } from '../test/support/local-service.ts';

/*
 * Measures one HTTP request that ingests 100 pages of 20 kB, on an empty site and on a site with 2,000 more pages, and
 * searches at the same time.
 */

const PAGES = 100;
const CHARACTERS = 20_000;
const BEFORE = 2000;
const RUNS = 3;

type Page = { readonly url: string; readonly content: string } & Readonly<Record<string, unknown>>;

/** Returns a generator of pseudo-random numbers from 0 up to 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi xo zu qua lin mor dan ter'.split(' ');
/** Returns a random word. Word frequencies follow Zipf's law, as in a language. */
function word(next: () => number): string {
  let rank = Math.floor(20_000 ** next());
  let made = '';
  do {
    made += SYLLABLES[rank % SYLLABLES.length];
    rank = Math.floor(rank / SYLLABLES.length);
  } while (rank > 0);
  return made;
}

const words = (count: number, next: () => number): string => Array.from({ length: count }, () => word(next)).join(' ');

function article(seed: number): string {
  const next = numbers(seed);
  const menu = Array.from({ length: 30 }, (_, i) => `<li><a href="/part/${i}">${words(2, next)}</a></li>`).join('');
  let body = '';
  for (let part = 0; body.length < CHARACTERS - 3000; part++) {
    body += part % 4 === 0 ? `<h2 id="part-${part}">${words(3, next)}</h2>\n` : '';
    body += `<p>${words(60, next)}, <a href="/p${part}">${words(2, next)}</a>. ${words(30, next)}.</p>\n`;
  }
  return `<!doctype html><html lang="en"><head><title>${words(4, next)}</title></head><body>
<header><nav><ul>${menu}</ul></nav></header><main><h1>${words(4, next)}</h1>
${body}</main><footer>${words(20, next)}</footer></body></html>`;
}

const htmlPages = (from: number, count: number): readonly Page[] =>
  Array.from({ length: count }, (_, i) => ({ url: `/page-${from + i}`, content: article(from + i) }));

const textPages = (from: number): readonly Page[] =>
  htmlPages(from, PAGES).map(({ url, content }) => ({
    url: `${url}.txt`,
    content: content.replace(/<[^<>]*>/g, ''),
    contentType: 'text',
    title: url,
    summary: 'A summary.',
    tags: ['text'],
    metadata: { part: 3, kind: ['a', 'b'], since: '2024-05-06' },
  }));

const changed = (pages: readonly Page[]): readonly Page[] =>
  pages.map((page) => ({ ...page, content: page.content.replace('</h1>', '</h1><p>One paragraph is new.</p>') }));

const service = await LocalService.start();
const rounded = (number: number): number => Math.round(number * 10) / 10;
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

async function ingest(siteId: string, pages: readonly Page[]): Promise<{ ms: number; body: Json }> {
  const started = performance.now();
  const { status, body } = await service.api('POST', `/sites/${siteId}/pages`, { pages });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const failed = listOf(body.results).filter((result) => String(result.status) === 'error');
  if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
  return { ms: performance.now() - started, body };
}

/** Measures several requests, each with different pages. Returns medians. */
async function measure(siteId: string, requests: readonly (readonly Page[])[]) {
  const [times, work, chunks]: [number[], number[], number[]] = [[], [], []];
  for (const pages of requests) {
    const before = service.processorMs();
    const { ms, body } = await ingest(siteId, pages);
    times.push(ms);
    work.push(service.processorMs() - before);
    chunks.push(listOf(body.results).reduce((sum, result) => sum + Number(result.chunks ?? 0), 0));
  }
  const ms = median(times);
  const processor = { 'processor ms': median(work), 'pages/s': Math.round((PAGES * 1000) / ms) };
  return { ms: Math.round(ms), ...processor, chunks: median(chunks) };
}

/** Runs sequential searches until the work ends. Returns their times. */
async function searchesDuring(siteId: string, work: Promise<unknown>) {
  const times: number[] = [];
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  const next = numbers(7);
  while (!isOver) {
    const started = performance.now();
    await service.visit(`/public/sites/${siteId}/search?q=${encodeURIComponent(words(3, next))}`);
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { searches: times.length, 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'longest ms': rounded(sorted.at(-1) ?? 0) };
}

async function rows(siteId: string, first: number) {
  const sets = Array.from({ length: RUNS }, (_, run) => htmlPages(first + run * PAGES, PAGES));
  const texts = Array.from({ length: RUNS }, (_, run) => textPages(first + run * PAGES));
  return {
    'new, HTML': await measure(siteId, sets),
    'the same again': await measure(siteId, sets),
    'one paragraph added': await measure(siteId, sets.map(changed)),
    'new, text with all fields': await measure(siteId, texts),
  };
}

try {
  await ingest(await service.createSite('https://warm.example/'), htmlPages(0, 10));
  const siteId = await service.createSite('https://bench.example/');
  console.log(`${PAGES} pages of ${CHARACTERS / 1000} kB in one request, on an empty site`);
  console.table(await rows(siteId, 0));
  for (let from = 1000; from < 1000 + BEFORE; from += PAGES) await ingest(siteId, htmlPages(from, PAGES));
  console.log(`the same on a site with ${BEFORE} more pages`);
  console.table(await rows(siteId, 20_000));
  await service.visit(`/public/sites/${siteId}/search?q=anything`); // the first search loads the index
  console.log('searches while new pages come in');
  console.table(await searchesDuring(siteId, ingest(siteId, htmlPages(30_000, PAGES))));
  console.log(`${Math.round(service.residentMB())} MB resident`);
} finally {
  await service.end();
}
