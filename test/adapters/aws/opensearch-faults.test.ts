import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { awsRegion, openSearchClient } from '../../../lambdas/adapters/aws/opensearch/client.ts';
import { ensureIndex } from '../../../lambdas/adapters/aws/opensearch/index-admin.ts';
import { opensearchPageIndex } from '../../../lambdas/adapters/aws/opensearch/opensearch-page-index.ts';
import { UnavailableError } from '../../../lambdas/core/errors.ts';
import { queryTerms } from '../../../lambdas/core/language/query-terms.ts';
import type { PageIndex } from '../../../lambdas/core/ports/page-index.ts';
import { indexEntry, newScope } from '../../support/index-entries.ts';

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
      ...{ scopes: [scope], terms: queryTerms('gopher', ['en']), limit: 10 },
      ...{ filters: [], requiredPhrases: [], excludedPhrases: [], groups: [] },
    }),
  passages: (index) => index.passages([{ ...page, ord: 0 }]),
  facets: (index) => index.facets({ scopes: [scope], filters: [], fields: [{ name: 't', field: 'tags' }], limit: 10 }),
  find: (index) => index.find(scope, { text: 'a', limit: 10 }),
};

const answer =
  (status: number, body: unknown): RequestListener =>
  (_, response) => {
    response.writeHead(status, JSON_TYPE).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const fault = (type: string, status: number) => ({ error: { type, reason: 'so it is' }, status });
const within = (type: string, status: number): RequestListener => {
  const item = fault(type, status);
  return answer(200, { responses: [item, item], items: [{ index: item }], errors: true, ...item });
};

const engines: Readonly<Record<string, RequestListener>> = {
  'never answers': () => undefined,
  'sends a part of its answer and no more': (_, response) => {
    response.writeHead(200, JSON_TYPE).write('{"responses":[');
  },
  'sends its answer in drops': (_, response) => {
    response.writeHead(200, JSON_TYPE);
    const drops = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(drops));
  },
  'breaks the connection': (request) => request.socket.destroy(),
  'breaks off its answer': (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 }).write('{', () => response.destroy());
  },
  'is overloaded (429)': answer(429, fault('rejected_execution_exception', 429)),
  'has its circuit breaker open (503)': answer(503, fault('circuit_breaking_exception', 503)),
  'is behind a gateway that fails (502)': answer(502, '<html>Bad gateway</html>'),
  'lets nobody in (403)': answer(403, { message: 'no identity-based policy allows es:ESHttpPost' }),
  'has no such index (404)': answer(404, fault('index_not_found_exception', 404)),
  'is overloaded within its answer': within('rejected_execution_exception', 429),
  'has its circuit breaker open within its answer': within('circuit_breaking_exception', 503),
  'has no such index within its answer': within('index_not_found_exception', 404),
  'answers no JSON': answer(200, 'garbage'),
  'answers a page of HTML': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
  },
  'answers JSON of another kind': answer(200, [1, null]),
  'answers nothing': (_, response) => {
    response.writeHead(200).end();
  },
  'answers a name that poisons objects': answer(200, '{"responses":[{"__proto__":{"x":1}}]}'),
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
  const engine = openSearchClient(url, { limitMs: LIMIT_MS });
  const index = opensearchPageIndex(engine, SPACE);
  const all = Object.entries(calls).map(async ([name, call]) => {
    const outcome: unknown = await call(index).catch((error: unknown) => error);
    return [name, outcome instanceof UnavailableError ? 'unavailable' : outcome] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}
const allUnavailable = Object.fromEntries(Object.keys(calls).map((name) => [name, 'unavailable']));

describe('OpenSearch', () => {
  for (const [what, listener] of Object.entries(engines)) {
    it(`that ${what} makes every method throw UnavailableError in time`, async () => {
      const url = await listen(listener);
      const started = performance.now();
      expect(await outcomes(url)).toEqual(allUnavailable);
      expect(performance.now() - started).toBeLessThan(8 * LIMIT_MS);
    });
  }

  it('that is not running is unavailable', async () => {
    const url = await listen(() => undefined);
    server?.close();
    expect(await outcomes(url)).toEqual(allUnavailable);
  });

  it('that rejects a request as invalid does not count as unavailable', async () => {
    const url = await listen(answer(400, fault('parsing_exception', 400)));
    for (const outcome of Object.values(await outcomes(url))) {
      expect(outcome).toBeInstanceOf(Error);
      expect(outcome).not.toBeInstanceOf(UnavailableError);
    }
  });

  it('gets the request again if it has closed a kept connection', async () => {
    let requests = 0;
    const url = await listen((request, response) => {
      requests++;
      if (requests === 2) request.socket.destroy();
      else response.writeHead(200, JSON_TYPE).end('{}');
    });
    const engine = openSearchClient(url, { limitMs: LIMIT_MS });
    expect(await engine.send({ method: 'GET', path: '/' })).toEqual({});
    expect(await engine.send({ method: 'GET', path: '/' })).toEqual({});
    expect(requests).toBe(3);
  });

  it('gets its index created once by concurrent callers', async () => {
    const made: string[] = [];
    const url = await listen((request, response) => {
      const { method, url: path = '' } = request;
      if (method === 'HEAD') response.writeHead(made.length > 0 ? 200 : 404).end();
      else if (made.length > 0) answer(400, fault('resource_already_exists_exception', 400))(request, response);
      else response.writeHead(200, JSON_TYPE).end('{}');
      if (method === 'PUT') made.push(path);
    });
    const engine = openSearchClient(url, { limitMs: LIMIT_MS });
    await Promise.all([ensureIndex(engine, SPACE), ensureIndex(engine, SPACE)]);
    await ensureIndex(engine, SPACE);
    expect(new Set(made).size).toBe(1);
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
