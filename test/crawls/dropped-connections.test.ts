import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { crawlHere, newSite } from '../support/crawl-here.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';
import { overHttp } from './over-http.ts';

const PAGES = 41;

describe('a crawl of a server that drops every second request', () => {
  let web: WebSite;
  afterEach(() => web.close());

  /** A start page and the pages that it links to. `isDropped` is asked at each request. */
  async function droppingSite(isDropped: (socket: Socket) => boolean): Promise<WebSite> {
    const paths = Array.from({ length: PAGES - 1 }, (_, i) => `/page-${i}`);
    const serve = (path: string, links: readonly string[]) => (request: IncomingMessage, response: ServerResponse) => {
      if (isDropped(request.socket)) return void request.socket.resetAndDestroy();
      const page = htmlPage(`Page ${path}`, `Nothing else is about ${path}.`, links);
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    };
    const pages = paths.map((path) => [path, serve(path, ['/'])] as const);
    return webSite({ '/': serve('/', paths), ...Object.fromEntries(pages) });
  }

  it('a crawl loses no page if each connection serves one page', async () => {
    const served = new WeakSet<Socket>();
    web = await droppingSite((socket) => served.has(socket) || !served.add(socket));
    const { job } = await crawlHere(await newSite(web.origin), overHttp);
    expect(job).toMatchObject({ status: 'completed', indexed: PAGES, failed: 0 });
  });

  it('a crawl loses no page if connections do not matter', async () => {
    let requests = 0;
    web = await droppingSite(() => ++requests % 2 === 0);
    const { job } = await crawlHere(await newSite(web.origin), overHttp);
    expect(job).toMatchObject({ status: 'completed', indexed: PAGES, failed: 0 });
  });
});
