import { type Json, listOf } from './answer.ts';
import type { MemoryPage } from './memory/web.ts';
import type { TestApi } from './test-api.ts';
import { htmlPage, type WebSite } from './web-site.ts';

export const words = ['amber', 'basil', 'cobalt', 'dune', 'ember', 'fjord', 'garnet', 'heron'];

export const movedTo =
  (location: string): MemoryPage =>
  (_, response) =>
    void response.writeHead(301, { Location: location }).end();

/** Serves one page per word. Each has a different text and links to all. */
export function wordSite(
  start: MemoryPage = htmlPage('Start', 'Where all words are.', words),
): Record<string, MemoryPage> {
  const pages = words.map((word) => [`/${word}`, htmlPage(word, `Everything about ${word}.`, words)]);
  return { '/': start, ...Object.fromEntries(pages) };
}

/** Outcome and reason of a job's URLs (200 at most) by path. */
export async function outcomesOf(
  { jobId }: Json,
  { origin }: WebSite,
  service: TestApi,
): Promise<Record<string, string>> {
  const { body } = await service.api('GET', `/jobs/${jobId}/pages?limit=200`);
  const named = listOf(body.pages).map(({ url, outcome, reason }) => [
    String(url).replace(origin, ''),
    [outcome, reason].filter(Boolean).join(' '),
  ]);
  return Object.fromEntries(named);
}
