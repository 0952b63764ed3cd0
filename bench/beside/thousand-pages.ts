import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { postgresqlManual } from '../support/postgresql-manual.ts';

const LINK = /href="([^"#:/]+\.html)(#[^"]*)?"/g;
export const PAGES = 1000;

export type ServedPages = {
  readonly start: string;
  readonly mostAtOnce: () => number;
  /** Requests per second between the 200th, after the start of a crawl, and the 950th, before links run out. */
  readonly pace: () => number;
  close(): void;
};

/**
 * Returns the first 1,000 pages of the PostgreSQL manual in the order of its links. Links to other pages are removed.
 */
export function thousandPages(): ReadonlyMap<string, Buffer> {
  const folder = postgresqlManual();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const found = new Map([['index.html', read('index.html')]]);
  for (const text of found.values()) {
    for (const [, name = ''] of text.matchAll(LINK))
      if (!found.has(name) && found.size < PAGES) found.set(name, read(name));
  }
  const pruned = (text: string) =>
    text.replace(LINK, (link: string, name: string) => (found.has(name) ? link : 'data-href=""'));
  return new Map(Array.from(found, ([name, text]) => [`/${name}`, Buffer.from(pruned(text))]));
}

const SHORT_TEXT = 1500;

/**
 * Returns the same pages, cut to their links and the start of their text, which is about the length of a usual web
 * page.
 */
export function shortPages(): ReadonlyMap<string, Buffer> {
  return new Map(
    Array.from(thousandPages(), ([path, html]) => {
      const text = html.toString();
      const title = /<title>([^<]*)/.exec(text)?.[1] ?? path;
      const body = text
        .slice(text.indexOf('<body'))
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ');
      const links = Array.from(text.matchAll(LINK), ([, name]) => `<a href="${name}">${name}</a>`);
      const main = `<main><h1>${title}</h1><p>${body.slice(0, SHORT_TEXT)}</p></main>`;
      const head = `<!doctype html><html lang="en"><head><title>${title}</title></head>`;
      const page = `${head}<body>${main}<nav>${[...new Set(links)].join(' ')}</nav></body></html>`;
      return [path, Buffer.from(page)];
    }),
  );
}

const [UNDER_WAY, NEAR_END] = [200, 950];

/** Serves pages on loopback, each after `delayMs`, and counts concurrent requests. */
export async function servedPages(pages: ReadonlyMap<string, Buffer>, delayMs: number): Promise<ServedPages> {
  let now = 0;
  let most = 0;
  const asked: number[] = [];
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    const answer = () => {
      now -= 1;
      if (page) response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
      else response.writeHead(404).end();
    };
    now += 1;
    asked.push(performance.now());
    most = Math.max(most, now);
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const start = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`;
  const pace = () => {
    const [from = 0, to = 0] = [asked[UNDER_WAY], asked[NEAR_END]];
    return (NEAR_END - UNDER_WAY) / ((to - from) / 1000);
  };
  return { start, mostAtOnce: () => most, pace, close: () => server.close() };
}
