import { setImmediate as immediately } from 'node:timers/promises';
import type {
  FetchFailure,
  FetchRequest,
  FetchResult,
  PageFetcher,
} from '../../../lambdas/domain/ports/page-fetcher.ts';

type Headers = Readonly<Record<string, string | number>>;
export type PageRequest = {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { destroy(): unknown };
};
/** Includes what a server of Node has, so that `webSite` can serve a page too. */
export type PageResponse = {
  writeHead(status: number, headers?: Headers): PageResponse;
  end(body?: string | Uint8Array): unknown;
};
/** The HTML of a page, or what answers a request for it. */
export type MemoryPage = string | ((request: PageRequest, response: PageResponse) => unknown);

export type MemorySite = {
  readonly origin: string;
  /** The requested paths. */
  readonly requests: string[];
  readonly pages: Map<string, MemoryPage>;
};

const sites = new Map<string, MemorySite>();

/** A website that `memoryFetcher` reaches: pages by path. Unknown paths are 404. */
export function memorySite(
  pages: Readonly<Record<string, MemoryPage>>,
  origin = `http://site-${sites.size + 1}.test`,
): MemorySite {
  const site = { origin, requests: [], pages: new Map(Object.entries(pages)) };
  sites.set(origin, site);
  return site;
}

/** `PageFetcher` of the websites in memory. It knows neither connections nor packed bodies. */
export function memoryFetcher(): PageFetcher {
  const closed = new AbortController();
  const fetchWhole = async (request: FetchRequest): Promise<FetchResult> => {
    const signals = [closed.signal, ...(request.signal ? [request.signal] : [])];
    const aborted = AbortSignal.any(signals);
    await immediately();
    if (aborted.aborted) return failure('aborted');
    const site = sites.get(new URL(request.url).origin);
    if (!site) return failure('dns');
    const { promise: stopped, resolve: stop } = Promise.withResolvers<FetchResult>();
    const timer = setTimeout(() => stop(failure('timeout')), request.timeoutMs);
    aborted.addEventListener('abort', () => stop(failure('aborted')), { once: true });
    const result = await Promise.race([answerOf(request, site), stopped]);
    clearTimeout(timer);
    return result;
  };
  return {
    fetch: fetchWhole,
    async stream(request, take) {
      const result = await fetchWhole(request);
      if (result.kind !== 'response') return result;
      take(result.body);
      return { ...result, body: new Uint8Array() };
    },
    close: async () => closed.abort(),
  };
}

const failure = (reason: FetchFailure): FetchResult => ({ kind: 'failure', reason, detail: `${reason} in memory` });

function answerOf(request: FetchRequest, { pages, requests }: MemorySite): Promise<FetchResult> {
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  requests.push(path);
  const page = pages.get(path);
  return new Promise((resolve) => {
    let head = { status: 200, headers: {} as Headers };
    const response: PageResponse = {
      writeHead(status, headers = {}) {
        head = { status, headers };
        return response;
      },
      end: (body = '') => resolve(resultOf(request, head, Buffer.from(body))),
    };
    if (page === undefined) return response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>');
    if (typeof page === 'string')
      return response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
    const headers = { 'if-none-match': request.etag, 'if-modified-since': request.lastModified };
    page({ url: path, headers, socket: { destroy: () => resolve(failure('connection')) } }, response);
  });
}

function resultOf(request: FetchRequest, { status, headers }: { status: number; headers: Headers }, body: Buffer) {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const isSuccess = status >= 200 && status < 300;
  const result = { kind: 'response' as const, status, headers: Object.fromEntries(lowerCase) };
  const type = result.headers['content-type']?.split(';')[0] ?? '';
  const { maxBytes } = request.limitsOfTypes?.[type] ?? request;
  if (!isSuccess) return { ...result, body: new Uint8Array() };
  if (body.length > maxBytes && !request.truncate) return failure('too_large');
  return { ...result, body: new Uint8Array(body.subarray(0, maxBytes)) };
}
