import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A website on loopback: pages by path, with a log of requested paths. Unknown paths are 404. */
export type WebSite = {
  readonly origin: string;
  readonly host: string;
  readonly requests: string[];
  readonly pages: Map<string, SitePage>;
  close(): Promise<void>;
};

export async function webSite(pages: Readonly<Record<string, SitePage>>): Promise<WebSite> {
  const served = new Map(Object.entries(pages));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    const page = served.get(path);
    if (typeof page === 'function') page(request, response);
    else if (page === undefined) response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>');
    else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, requests, pages: served, close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export const htmlPage = (title: string, text: string, links: readonly string[] = []): string => `<!doctype html>
<html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>
<p>${text}</p>
<ul>${links.map((href) => `<li><a href="${href}">to ${href}</a></li>`).join('')}</ul></main></body></html>`;
