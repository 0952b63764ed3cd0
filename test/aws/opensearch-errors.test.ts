import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { awsRegion, openSearchClient } from '../../lambdas/aws/opensearch/client.ts';
import { ensureIndex } from '../../lambdas/aws/opensearch/index/index-admin.ts';
import { opensearchPageIndex } from '../../lambdas/aws/opensearch/index/opensearch-page-index.ts';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import type { PageIndex } from '../../lambdas/domain/ports/page-index.ts';
import { queryTerms } from '../../lambdas/text/words/query-terms.ts';
import { indexEntry, newScope } from '../support/index-entries.ts';

const LIMIT_MS = 250;
const SPACE = { space: 'test', dimensions: 384 };
const JSON_TYPE = { 'content-type': 'application/json' };
const scope = newScope();
const page = { ...scope, urlHash: 'hash', revision: 1 };

const calls: Readonly<Record<string, (index: PageIndex) => Promise<unknown>>> = {
  put: (index) => index.put([indexEntry(scope)], { visible: 'soon' }),
  remove: (index) => index.remove([page], { visible: 'now' }),
  removeBelow: (index) => index.removeBelow(scope.siteId, 2, 10),
  refresh: (index) => index.refresh(),
  candidates: (index) =>
    index.candidates({
      scopes: [scope],
      terms: queryTerms('gopher', ['en']),
      limit: 10,
      requiredPhrases: [],
      excludedPhrases: [],
    }),
  passages: (index) => index.passages([{ ...page, ord: 0 }]),
  facets: (index) => index.facets({ scopes: [scope], fields: [{ name: 't', field: 'tags' }], limit: 10 }),
  find: (index) => index.find(scope, { text: 'a', limit: 10 }),
};

const answer =
  (status: number, body: unknown): RequestListener =>
  (_, response) => {
    response.writeHead(status, JSON_TYPE).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const errorBody = (type: string, status: number) => ({ error: { type, reason: 'reason' }, status });
const failedItems = (type: string, status: number): RequestListener => {
  const item = errorBody(type, status);
  return answer(200, { responses: [item, item], items: [{ index: item }], errors: true, ...item });
};

const servers: Readonly<Record<string, RequestListener>> = {
  'never answers': () => undefined,
  'stops during its answer': (_, response) => {
    response.writeHead(200, JSON_TYPE).write('{"responses":[');
  },
  'sends its answer byte by byte': (_, response) => {
    response.writeHead(200, JSON_TYPE);
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  'breaks the connection': (request) => request.socket.destroy(),
  'closes the connection during its answer': (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 }).write('{', () => response.destroy());
  },
  'is overloaded (429)': answer(429, errorBody('rejected_execution_exception', 429)),
  'has its circuit breaker open (503)': answer(503, errorBody('circuit_breaking_exception', 503)),
  'is behind a gateway that fails (502)': answer(502, '<html>Bad gateway</html>'),
  'denies access (403)': answer(403, { message: 'no identity-based policy allows es:ESHttpPost' }),
  'lacks the index (404)': answer(404, errorBody('index_not_found_exception', 404)),
  'is overloaded within its answer': failedItems('rejected_execution_exception', 429),
  'has its circuit breaker open within its answer': failedItems('circuit_breaking_exception', 503),
  'lacks the index within its answer': failedItems('index_not_found_exception', 404),
  'answers no JSON': answer(200, 'garbage'),
  'answers a page of HTML': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
  },
  'answers JSON of another shape': answer(200, [1, null]),
  'answers nothing': (_, response) => {
    response.writeHead(200).end();
  },
  'answers a field named __proto__': answer(200, '{"responses":[{"__proto__":{"x":1}}]}'),
  'answers fewer searches than it received': answer(200, { responses: [] }),
  'answers hits without fields': answer(200, { responses: [{ hits: { hits: [{}] } }, {}], items: [{}] }),
  redirects: (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  },
};

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function outcomes(url: string): Promise<Readonly<Record<string, unknown>>> {
  const client = openSearchClient(url, { limitMs: LIMIT_MS });
  const index = opensearchPageIndex(client, SPACE);
  const all = Object.entries(calls).map(async ([name, call]) => {
    const outcome: unknown = await call(index).catch((error: unknown) => error);
    return [name, outcome instanceof UnavailableError ? 'unavailable' : outcome] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}
const allUnavailable = Object.fromEntries(Object.keys(calls).map((name) => [name, 'unavailable']));

describe('OpenSearch', () => {
  for (const [what, listener] of Object.entries(servers)) {
    it(`an OpenSearch that ${what} makes every method throw UnavailableError in time`, async () => {
      const url = await listen(listener);
      const started = performance.now();
      expect(await outcomes(url)).toEqual(allUnavailable);
      expect(performance.now() - started).toBeLessThan(8 * LIMIT_MS);
    });
  }

  it('an OpenSearch that is not running is unavailable', async () => {
    const url = await listen(() => undefined);
    server?.close();
    expect(await outcomes(url)).toEqual(allUnavailable);
  });

  it('a request that OpenSearch rejects as invalid does not count as unavailable', async () => {
    const url = await listen(answer(400, errorBody('parsing_exception', 400)));
    for (const outcome of Object.values(await outcomes(url))) {
      expect(outcome).toBeInstanceOf(Error);
      expect(outcome).not.toBeInstanceOf(UnavailableError);
    }
  });

  it('an error of denied access names the action, even if the answer has no body', async () => {
    const Message = 'User: someone is not authorized to perform: es:ESHttpPut because no policy allows it';
    const url = await listen((request, response) =>
      answer(403, request.method === 'HEAD' ? '' : { Message })(request, response),
    );
    const client = openSearchClient(url, { limitMs: LIMIT_MS });
    await expect(client.send({ method: 'PUT', path: '/x', body: {} })).rejects.toThrow(Message);
    await expect(client.send({ method: 'HEAD', path: '/x' })).rejects.toThrow(
      'not authorized to perform: es:ESHttpHead',
    );
  });

  it('a request is repeated if OpenSearch has closed a kept connection', async () => {
    let requests = 0;
    const url = await listen((request, response) => {
      requests++;
      if (requests === 2) request.socket.destroy();
      else response.writeHead(200, JSON_TYPE).end('{}');
    });
    const client = openSearchClient(url, { limitMs: LIMIT_MS });
    expect(await client.send({ method: 'GET', path: '/' })).toEqual({});
    expect(await client.send({ method: 'GET', path: '/' })).toEqual({});
    expect(requests).toBe(3);
  });

  it('a batch that is too large for OpenSearch is sent in parts, and a page that is too large is cut', async () => {
    const MOST = 10_000;
    const taken: { readonly url: string; readonly chunks: readonly unknown[] }[] = [];
    const url = await listen(async (request, response) => {
      const body = await text(request);
      if (body.length > MOST) return answer(413, '')(request, response);
      const documents = body.split('\n').filter((_, line) => line % 2 === 1);
      taken.push(...documents.map((document) => JSON.parse(document)));
      answer(200, { items: documents.map(() => ({ index: { status: 200 } })) })(request, response);
    });
    const index = opensearchPageIndex(openSearchClient(url, { limitMs: 5000 }), SPACE);
    const sized = (name: string, chunks: number) =>
      indexEntry(scope, {
        urlHash: name,
        url: name,
        texts: Array.from({ length: chunks }, () => 'A harbour with a lamp.'),
      });
    await index.put([sized('short', 2), sized('long', 60), sized('other', 2)], { visible: 'soon' });
    const chunksOf = (name: string) => taken.find((page) => page.url === name)?.chunks.length ?? 0;
    expect([chunksOf('short'), chunksOf('other')]).toEqual([2, 2]);
    expect([30, 15]).toContain(chunksOf('long'));
  });

  it('an OpenSearch that refuses every request for its size is unavailable: no page is to blame', async () => {
    const url = await listen(answer(413, ''));
    const index = opensearchPageIndex(openSearchClient(url, { limitMs: LIMIT_MS }), SPACE);
    const put = index.put([indexEntry(scope, { texts: ['gopher'] })], { visible: 'soon' });
    await expect(put).rejects.toBeInstanceOf(UnavailableError);
  });

  it('concurrent callers create the index once', async () => {
    const created: string[] = [];
    const url = await listen((request, response) => {
      const { method, url: path = '' } = request;
      if (method === 'HEAD') response.writeHead(created.length > 0 ? 200 : 404).end();
      else if (created.length > 0) answer(400, errorBody('resource_already_exists_exception', 400))(request, response);
      else response.writeHead(200, JSON_TYPE).end('{}');
      if (method === 'PUT') created.push(path);
    });
    const client = openSearchClient(url, { limitMs: LIMIT_MS });
    await Promise.all([ensureIndex(client, SPACE), ensureIndex(client, SPACE)]);
    await ensureIndex(client, SPACE);
    expect(new Set(created).size).toBe(1);
  });
});

describe('The region of an AWS domain', () => {
  const cases = {
    'https://search-x-abc.eu-west-1.es.amazonaws.com': 'eu-west-1',
    'https://search-x-abc.aos.us-gov-west-1.on.aws/': 'us-gov-west-1',
    'http://127.0.0.1:9200': undefined,
    'https://es.amazonaws.com.example.org': undefined,
  };
  for (const [url, region] of Object.entries(cases)) {
    it(`is read from its host: ${url}`, () => {
      expect(awsRegion(url)).toBe(region);
    });
  }
});
