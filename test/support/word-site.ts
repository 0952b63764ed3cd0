import { type Json, listOf } from './answer.ts';
import type { TestApi } from './test-api.ts';
import { htmlPage, type SitePage, type WebSite } from './web-site.ts';

export const words = ['amber', 'basil', 'cobalt', 'dune', 'ember', 'fjord', 'garnet', 'heron'];

export const movedTo =
  (location: string): SitePage =>
  (_, response) =>
    void response.writeHead(301, { Location: location }).end();

/** Pages named by words, each with text of its own and links to all. */
export function wordSite(start: SitePage = htmlPage('Start', 'Where all words are.', words)): Record<string, SitePage> {
  const pages = words.map((word) => [`/${word}`, htmlPage(word, `All that there is about ${word}.`, words)]);
  return { '/': start, ...Object.fromEntries(pages) };
}

/** What became of every URL that a job met (200 at most), by its path on the site. */
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
