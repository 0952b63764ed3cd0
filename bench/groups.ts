import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { plainText } from '../lambdas/text/page-content.ts';
import { LocalService } from '../test/support/local-service.ts';
import { report } from './support/figures.ts';
import { readManual, variedPages } from './support/varied-manual.ts';

/*
 * Measures searches over HTTP in a group of 100 sites (or SITES) of 20 pages each, and in one site with the same pages.
 * Each query is sent to both, in turns, so that the load of the machine affects both equally.
 */

const SITES = Number(process.env.SITES ?? 100);
const PAGES_EACH = Number(process.env.PAGES ?? 20);
const SEARCHES = Number(process.env.SEARCHES ?? 300);
const WARM_UP = 200;
const PAGES_AT_ONCE = 100;
const TEXT_LENGTH = 1500;

const manual = readManual();
const service = await LocalService.start({ env: { LOG_LEVEL: 'warn' } });
const agent = new Agent({ connections: 1, pipelining: 1 });
try {
  const pages = shortPages(SITES * PAGES_EACH);
  const one = await service.createSite('https://one.example/');
  await ingest(one, pages);
  const siteIds: string[] = [];
  for (let from = 0; from < pages.length; from += PAGES_EACH) {
    const siteId = await service.createSite(`https://site-${siteIds.length}.example/`);
    await ingest(siteId, pages.slice(from, from + PAGES_EACH));
    siteIds.push(siteId);
  }
  const publicAccess = { enabled: true, allowedDomains: ['*'] };
  const { body } = await service.api('POST', '/groups', { name: 'All', siteIds, publicAccess });
  report(await timesInTurns({ 'one site': `sites/${one}`, [`group of ${SITES} sites`]: `groups/${body.groupId}` }));
} finally {
  await agent.close();
  await service.end();
}

type Page = { readonly url: string; readonly title: string; readonly content: string };

function shortPages(count: number): readonly Page[] {
  const varied = variedPages(manual);
  return Array.from({ length: count }, (_, i) => {
    const content = varied.next().value;
    if (!content) throw new Error('there are no more pages');
    return { url: `/page-${i}`, title: content.title, content: plainText(content).slice(0, TEXT_LENGTH) || 'Empty' };
  });
}

async function ingest(siteId: string, pages: readonly Page[]): Promise<void> {
  for (let from = 0; from < pages.length; from += PAGES_AT_ONCE) {
    const batch = pages.slice(from, from + PAGES_AT_ONCE).map((page) => ({
      ...page,
      contentType: 'text',
      language: 'en',
      tags: ['manual'],
      // If a model is configured, a page without a summary would be sent to it.
      summary: page.title,
    }));
    const { status, body } = await service.api('POST', `/sites/${siteId}/pages`, { pages: batch });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  }
}

async function timesInTurns(paths: Readonly<Record<string, string>>) {
  const times = new Map(Object.keys(paths).map((name) => [name, [] as number[]]));
  const processor = new Map(Object.keys(paths).map((name) => [name, 0]));
  for (let n = 0; n < WARM_UP + SEARCHES; n++) {
    const [first, second] = [n, 7 * n + 3].map((i) => manual.queries[i % manual.queries.length]);
    const query = n % 2 === 0 ? (first ?? randomUUID()) : `${first} ${second}`;
    for (const [name, path] of Object.entries(paths)) {
      const before = service.processorMs();
      const started = performance.now();
      await search(`${service.ready.publicUrl}/public/${path}/search?q=${encodeURIComponent(query)}`);
      if (n < WARM_UP) continue;
      times.get(name)?.push(performance.now() - started);
      processor.set(name, (processor.get(name) ?? 0) + service.processorMs() - before);
    }
  }
  return Object.fromEntries(
    Array.from(times, ([name, taken]) => {
      const sorted = taken.toSorted((a, b) => a - b);
      const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1));
      const each = Number(((processor.get(name) ?? 0) / SEARCHES).toFixed(1));
      return [name, { p50: at(0.5), p95: at(0.95), p99: at(0.99), 'CPU ms': each }];
    }),
  );
}

async function search(url: string): Promise<void> {
  const { statusCode, body } = await request(url, { dispatcher: agent });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
}
