import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '../../lambdas/domain/errors.ts';
import type { ApiResponse } from '../../lambdas/runtime/api-event.ts';
import { admitPage } from '../../lambdas/runtime/endpoint.ts';
import { failure } from '../../lambdas/runtime/responses.ts';
import { clock } from '../../lambdas/runtime/system.ts';
import { SECURITY_HEADERS } from '../../web/headers.ts';
import { answerApi } from './api-handler.ts';
import type { DemoPage } from './demo-pages.ts';
import { gatewayEvent } from './gateway-event.ts';
import type { RunEndpoint } from './ingestion.ts';
import { asBrowserSuggestions, openSearchDescription, suggestPath } from './opensearch.ts';
import { sendAnswer } from './send-answer.ts';
import { answerBrokenRequests, refuse } from './server-errors.ts';
import { SIGN_IN_PATH, type SignIn } from './sign-in.ts';
import { fileAt, fileHeaders, type StaticPage, sendPage, type WebFiles } from './static-pages.ts';

/**
 * Keeps robots from the pages of the API, which are for programs. The headers of other pages say whether they may be
 * indexed.
 */
const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /v1/\nDisallow: /opensearch/\n';

const WRONG_HOST =
  'This server does not answer requests to this host name. ' +
  'If it is reached by that name, start it with PUBLIC_URL set to it.';

export type DemoSite = { readonly siteId: string; readonly name: string };

export type ServerDeps = {
  /** What browsers load. */
  readonly webFiles: WebFiles;
  readonly demoSite: () => DemoSite | undefined;
  /** The pages of the demo site, if this server has one. */
  readonly demoPage: DemoPage | undefined;
  readonly ingest: RunEndpoint;
  /** Signs in to the dashboard by the link of this start. Undefined if other machines reach this server. */
  readonly signIn: SignIn | undefined;
  readonly isOwnHost: (host: string) => boolean;
  /** Returns the state of the service, as far as the sender of this `Authorization` may see it. */
  readonly health: (authorization: string | undefined) => Promise<{ readonly ready: boolean }>;
};

export type Listening = { readonly host: string; readonly port: number };

/** Serves the API, the web pages, the demo and the state of the service. */
export function listen({ host, port }: Listening, deps: ServerDeps): Promise<Server> {
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response, deps).catch((cause) => {
      // `errored` is set if the client has disconnected.
      if (request.errored !== null) response.end();
      else void refuse(request, response, cause);
    });
  };
  // Node would answer without a body to a request without a host, and to a request with an unknown `Expect`.
  const server = createServer({ requireHostHeader: false }, respond)
    .on('checkExpectation', respond)
    .on('checkContinue', respond);
  answerBrokenRequests(server);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, { host, port })));
    server.listen(port, host, () => resolve(server));
  });
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Listening): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken: stop the program that uses it, or choose another port with --port`, {
      cause: error,
    });
  if (error.code === 'EACCES')
    return new Error(`Port ${port} needs more privileges: choose another port with --port`, { cause: error });
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new Error(`${host} is no address of this machine: choose another with --host, such as 0.0.0.0 for all`, {
      cause: error,
    });
  return error;
}

async function answer(request: IncomingMessage, response: ServerResponse, deps: ServerDeps): Promise<void> {
  const { ingest, isOwnHost } = deps;
  const { host } = request.headers;
  if (host === undefined) throw new AppError('invalid_request', 'The request has no Host header');
  if (!isOwnHost(host)) throw new AppError('wrong_host', WRONG_HOST);
  const url = URL.parse(`http://localhost${request.url ?? '/'}`);
  if (!url) throw new AppError('invalid_request', 'The address of the request is not valid');
  const isFile = deps.webFiles.names.has(url.pathname.slice(1));
  const suggestions = suggestPath(url.pathname);
  if (suggestions !== undefined) {
    const text = url.searchParams.get('q') ?? '';
    url.pathname = suggestions;
    return answerApi(request, response, url, ingest, (answer) => asBrowserSuggestions(answer, text));
  }
  url.pathname = demoMcp(url.pathname, deps.demoSite()) ?? url.pathname;
  const isApi = !isFile && /^\/(?:api|v1)(?:\/|$)/.test(url.pathname);
  if (isApi) return answerApi(request, response, url, ingest);
  return answerPage(request, response, { url, host, isFile }, deps);
}

type PageRequest = { readonly url: URL; readonly host: string; readonly isFile: boolean };

async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  { url, host, isFile }: PageRequest,
  deps: ServerDeps,
): Promise<void> {
  const refusal = await refusalOf(request, url);
  if (refusal) return sendAnswer(response, refusal);
  if (deps.signIn && url.pathname === SIGN_IN_PATH && request.method === 'POST')
    return sendAnswer(response, await deps.signIn(request));
  const page =
    (await pageAt(url.pathname, request.headers.authorization, deps)) ??
    (await openSearchDescription(url.pathname, host));
  if (!page) return answerApi(request, response, url, deps.ingest);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(request, response, new AppError('method_not_allowed', 'A page supports only GET and HEAD'), {
      Allow: 'GET, HEAD',
    });
  sendPage(request, response, page, pageHeaders(url, isFile));
}

const pageHeaders = ({ pathname, search }: URL, isFile: boolean): Readonly<Record<string, string>> => ({
  ...SECURITY_HEADERS,
  ...(isFile ? fileHeaders(pathname) : { 'Cache-Control': 'no-cache' }),
  ...(pathname === '/' && search !== '' && { 'X-Robots-Tag': 'noindex' }),
});

/** Returns the path of which `/mcp` is a short form: the MCP server of the demo site. */
const demoMcp = (path: string, demoSite: DemoSite | undefined): string | undefined =>
  path === '/mcp' && demoSite ? `/v1/public/sites/${demoSite.siteId}/mcp` : undefined;

/**
 * Returns the error for an address that has requested too many pages. The state of the service has a separate limit.
 */
async function refusalOf(request: IncomingMessage, url: URL): Promise<ApiResponse | undefined> {
  const event = gatewayEvent(request, url, {}, { body: Buffer.alloc(0), receivedAt: clock() });
  try {
    await admitPage(event, url.pathname === '/health' ? 'health' : 'page');
    return undefined;
  } catch (error) {
    return failure(error, event);
  }
}

async function pageAt(
  path: string,
  authorization: string | undefined,
  { webFiles, demoSite, demoPage, health }: Pick<ServerDeps, 'webFiles' | 'demoSite' | 'demoPage' | 'health'>,
): Promise<(StaticPage & { readonly status?: number }) | undefined> {
  if (path === '/health') return healthPage(await health(authorization));
  const file = await fileAt(path, webFiles);
  if (file) return file;
  if (path === '/robots.txt') return { contentType: 'text/plain; charset=utf-8', body: ROBOTS };
  if (path === '/demo-site.json') {
    const site = demoSite();
    return site && { contentType: 'application/json; charset=utf-8', body: JSON.stringify(site) };
  }
  return path === '/demo' || path.startsWith('/demo/') ? demoPage?.(path) : undefined;
}

const healthPage = (health: { readonly ready: boolean }) => ({
  status: health.ready ? 200 : 503,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(health),
});
